/** Adding or changing a connection: the providers to choose from, what the form holds, and its fields. */
import { useState } from "react";
import { keyOf, patch, post } from "../../api/client";
import type { Connection, ConnectionChangeRequest } from "../../api/schema";
import { fieldMessage } from "../../api/error";
import { FormDialog } from "../../components/dialog";
import {
  Checkbox,
  Choice,
  FieldRow,
  Fields,
  fieldsOf,
  optionsOf,
  Select,
  TextArea,
  TextField,
} from "../../components/form";
import { More } from "../../components/list";
import { useWrite } from "../../components/use-write";

interface ConnectionDialogProps {
  readonly slug: string;
  /** Absent for a new one. */
  readonly connection?: Connection;
  readonly onClose: () => void;
}

export function ConnectionDialog({ slug, connection, onClose }: ConnectionDialogProps) {
  const [draft, setDraft] = useState<Draft>(connection ? draftOf(connection) : EMPTY);
  const save = useWrite(
    async () =>
      connection
        ? patch(
            "/api/projects/{slug}/connections/{connection_id}",
            { slug, connection_id: connection.id },
            requestOf(draft),
          )
        : post("/api/projects/{slug}/connections", { slug }, requestOf(draft)),
    { stale: [keyOf("/api/projects/{slug}/connections", { slug })], onDone: onClose },
  );
  const complaint = (field: string) => fieldMessage(save.error, field);
  return (
    <FormDialog
      wide
      title={connection ? `Change ${connection.name}` : "Connect a model"}
      action={connection ? "Save" : "Connect"}
      write={{ isPending: save.isPending, error: refusalOf(save.error) }}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <ConnectionFields
        draft={draft}
        connection={connection}
        complaint={complaint}
        onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
      />
    </FormDialog>
  );
}

function refusalOf(error: Error | null): Error | null {
  return error instanceof SyntaxError
    ? new Error("Enter the additional parameters as a JSON object.")
    : error;
}

interface ConnectionFieldsProps {
  readonly draft: Draft;
  readonly connection: Connection | undefined;
  readonly complaint: (field: string) => string | null;
  readonly onChange: (changes: Partial<Draft>) => void;
}

function ConnectionFields(props: ConnectionFieldsProps) {
  const { draft, connection, complaint, onChange } = props;
  const field = fieldsOf(draft, onChange, complaint);
  return (
    <>
      {!connection && <ProviderChoice onChange={onChange} />}
      <FieldRow>
        <TextField label="Name" required {...field("name")} />
        <TextField label="Model" required {...field("model")} />
      </FieldRow>
      <TextField
        label="Address (base URL)"
        required
        inputMode="url"
        spellCheck={false}
        {...field("baseUrl")}
      />
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        hint={keyHint(connection)}
        {...field("key")}
      />
      {connection?.has_key && (
        <Checkbox
          label="Delete the saved key"
          checked={draft.isKeyForgotten}
          onChange={(isKeyForgotten) => onChange({ isKeyForgotten })}
        />
      )}
      <MoneyFields {...props} />
      <PaceFields {...props} />
    </>
  );
}

function keyHint(connection: Connection | undefined): string {
  const lasting = "Assay encrypts the key, never shows it again, and sends it only to this address.";
  if (!connection?.has_key) return `Leave empty if the server needs no key. ${lasting}`;
  return `A key ending in ${connection.key_last_four} is saved. Leave empty to keep it. If you change the address, enter the key again.`;
}

function ProviderChoice({ onChange }: Pick<ConnectionFieldsProps, "onChange">) {
  return (
    <Select
      label="Provider"
      defaultValue=""
      onChange={(value) => {
        const chosen = PROVIDERS.find(({ key }) => key === value);
        if (chosen) onChange({ baseUrl: chosen.baseUrl, name: chosen.name });
      }}
    >
      <option value="" disabled>
        Choose a provider to fill in its address
      </option>
      {PROVIDERS.map((provider) => (
        <option key={provider.key} value={provider.key}>
          {provider.name}: {provider.hint}
        </option>
      ))}
    </Select>
  );
}

function MoneyFields({ draft, complaint, onChange }: ConnectionFieldsProps) {
  const field = fieldsOf(draft, onChange, complaint);
  return (
    <FieldRow columns={3}>
      <TextField
        label="Input price"
        hint="USD per million tokens"
        inputMode="decimal"
        {...field("inputPrice")}
      />
      <TextField
        label="Output price"
        hint="USD per million tokens"
        inputMode="decimal"
        {...field("outputPrice")}
      />
      <TextField
        label="Spending limit"
        hint="USD for all runs. Leave empty for no limit."
        inputMode="decimal"
        {...field("spendCap")}
      />
    </FieldRow>
  );
}

function PaceFields({ draft, complaint, onChange }: ConnectionFieldsProps) {
  const field = fieldsOf(draft, onChange, complaint);
  return (
    <More summary="Rate limits and additional parameters">
      <Fields>
        <FieldRow columns={3}>
          <TextField
            label="Calls per minute"
            hint="Leave empty for no limit."
            inputMode="numeric"
            {...field("requestsPerMinute")}
          />
          <TextField label="Concurrent calls" inputMode="numeric" {...field("parallelCalls")} />
          <TextField label="Timeout (seconds)" inputMode="numeric" {...field("timeoutSeconds")} />
        </FieldRow>
        <Choice
          label="API"
          value={draft.endpoint}
          options={optionsOf({ chat: "Chat", completion: "Completion (older models)" })}
          onChange={(endpoint) => onChange({ endpoint })}
        />
        <TextArea label="Additional parameters (JSON)" rows={4} spellCheck={false} {...field("parameters")} />
      </Fields>
    </More>
  );
}

interface Draft {
  readonly name: string;
  readonly baseUrl: string;
  readonly endpoint: "chat" | "completion";
  readonly model: string;
  readonly key: string;
  readonly isKeyForgotten: boolean;
  readonly inputPrice: string;
  readonly outputPrice: string;
  readonly spendCap: string;
  readonly requestsPerMinute: string;
  readonly parallelCalls: string;
  readonly timeoutSeconds: string;
  readonly parameters: string;
}

const EMPTY: Draft = {
  name: "",
  baseUrl: "",
  endpoint: "chat",
  model: "",
  key: "",
  isKeyForgotten: false,
  inputPrice: "0",
  outputPrice: "0",
  spendCap: "",
  requestsPerMinute: "",
  parallelCalls: "4",
  timeoutSeconds: "60",
  parameters: "{}",
};

function textOf(value: string | number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function draftOf(connection: Connection): Draft {
  return {
    name: connection.name,
    baseUrl: connection.base_url,
    endpoint: connection.endpoint,
    model: connection.model,
    key: "",
    isKeyForgotten: false,
    inputPrice: connection.input_price,
    outputPrice: connection.output_price,
    spendCap: textOf(connection.spend_cap),
    requestsPerMinute: textOf(connection.requests_per_minute),
    parallelCalls: textOf(connection.parallel_calls),
    timeoutSeconds: textOf(connection.timeout_seconds),
    parameters: JSON.stringify(connection.parameters, null, 2),
  };
}

function numberOrNull(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}

/** Throws `SyntaxError` where the parameters are no JSON. */
function requestOf(draft: Draft): ConnectionChangeRequest {
  return {
    name: draft.name.trim(),
    base_url: draft.baseUrl.trim(),
    endpoint: draft.endpoint,
    model: draft.model.trim(),
    // An empty field keeps the key there is: it is never shown, so it cannot be sent back.
    ...((draft.key !== "" || draft.isKeyForgotten) && { key: draft.key }),
    input_price: draft.inputPrice.trim() || "0",
    output_price: draft.outputPrice.trim() || "0",
    spend_cap: draft.spendCap.trim() || null,
    requests_per_minute: numberOrNull(draft.requestsPerMinute),
    parallel_calls: Number(draft.parallelCalls),
    timeout_seconds: Number(draft.timeoutSeconds),
    parameters: JSON.parse(draft.parameters.trim() || "{}") as Record<string, unknown>,
  };
}

interface Provider {
  readonly key: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly hint: string;
}

const PROVIDERS: readonly Provider[] = [
  {
    key: "openai",
    name: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    hint: "Requires your own key.",
  },
  {
    key: "azure",
    name: "Azure OpenAI",
    baseUrl: "https://NAME.openai.azure.com/openai/v1",
    hint: "Replace NAME with your resource name. For the model, enter your deployment name.",
  },
  {
    key: "vllm",
    name: "vLLM",
    baseUrl: "http://127.0.0.1:8000/v1",
    hint: "The administrator of this server must first allow this address (ASSAY_LLM_ALLOWED_HOSTS).",
  },
  {
    key: "ollama",
    name: "Ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    hint: "The administrator of this server must first allow this address (ASSAY_LLM_ALLOWED_HOSTS).",
  },
  {
    key: "llama.cpp",
    name: "llama.cpp",
    baseUrl: "http://127.0.0.1:8080/v1",
    hint: "The administrator of this server must first allow this address (ASSAY_LLM_ALLOWED_HOSTS).",
  },
  { key: "other", name: "Other", baseUrl: "https://", hint: "Any server with an OpenAI-compatible API." },
];
