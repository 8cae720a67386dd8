/** Adding or changing a connection: what the form holds, and its fields. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, patch, post, read } from "../../api/client";
import type { ApiEnum, Connection, ConnectionChangeRequest, OfferedApi } from "../../api/schema";
import { fieldMessage } from "../../api/error";
import { CommandLine } from "../../components/command-line";
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
import { Notice } from "../../components/notice";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";
import { apiName, providers } from "./providers";

interface ConnectionDialogProps {
  readonly slug: string;
  /** Absent for a new one. */
  readonly connection?: Connection;
  readonly onClose: () => void;
}

export function ConnectionDialog({ slug, connection, onClose }: ConnectionDialogProps) {
  const [draft, setDraft] = useState<Draft>(connection ? draftOf(connection) : EMPTY);
  const { data: apis = [] } = useQuery(read("/api/projects/{slug}/model-apis", { slug }));
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
      title={connection ? t("Change {name}", { name: connection.name }) : t("Connect a model")}
      action={connection ? t("Save") : t("Connect")}
      cancel={t("Cancel")}
      write={{ isPending: save.isPending, error: refusalOf(save.error) }}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <ConnectionFields
        draft={draft}
        apis={apis}
        connection={connection}
        complaint={complaint}
        onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
      />
    </FormDialog>
  );
}

function refusalOf(error: Error | null): Error | null {
  return error instanceof SyntaxError
    ? new Error(t("Enter the additional parameters as a JSON object."))
    : error;
}

interface ConnectionFieldsProps {
  readonly draft: Draft;
  /** Empty while they are read. */
  readonly apis: readonly OfferedApi[];
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
      <ApiChoice {...props} />
      <FieldRow>
        <TextField label={t("Name")} required {...field("name")} />
        {draft.api === "transformers" ? (
          <LocalModelChoice {...props} />
        ) : (
          <TextField label={t("Model")} required {...field("model")} />
        )}
      </FieldRow>
      {draft.api === "transformers" ? (
        <p className="soft">
          {t(
            "The model runs in Assay’s own workers, so it needs no address and no key, and its calls cost nothing.",
          )}
        </p>
      ) : (
        <ServerFields {...props} />
      )}
      <PaceFields {...props} />
    </>
  );
}

/** Where a server is, how it knows us, and what it costs. */
function ServerFields(props: ConnectionFieldsProps) {
  const { draft, connection, complaint, onChange } = props;
  const field = fieldsOf(draft, onChange, complaint);
  return (
    <>
      <TextField
        label={t("Address (base URL)")}
        required
        inputMode="url"
        spellCheck={false}
        {...field("baseUrl")}
      />
      <TextField
        label={t("API key")}
        type="password"
        autoComplete="off"
        hint={keyHint(connection)}
        {...field("key")}
      />
      {connection?.has_key && (
        <Checkbox
          label={t("Delete the saved key")}
          checked={draft.isKeyForgotten}
          onChange={(isKeyForgotten) => onChange({ isKeyForgotten })}
        />
      )}
      <MoneyFields {...props} />
    </>
  );
}

function LocalModelChoice({ draft, apis, complaint, onChange }: ConnectionFieldsProps) {
  const models = apis.find(({ key }) => key === draft.api)?.models ?? [];
  const none = t(
    "The administrator of this server has not offered any local models yet (ASSAY_LOCAL_MODELS).",
  );
  return (
    <Choice
      label={t("Model")}
      required
      hint={models.length === 0 && none}
      error={complaint("model")}
      empty={t("Choose a model")}
      value={models.includes(draft.model) ? draft.model : ""}
      options={models.map((model) => ({ value: model, name: model }))}
      onChange={(model) => onChange({ model })}
    />
  );
}

function keyHint(connection: Connection | undefined): string {
  if (!connection?.has_key)
    return t(
      "Leave empty if the server needs no key. Assay encrypts the key, never shows it again, and sends it only to this address.",
    );
  return t(
    "A key ending in {end} is saved. Leave empty to keep it. If you change the address, enter the key again.",
    { end: connection.key_last_four },
  );
}

function ProviderChoice({ onChange }: Pick<ConnectionFieldsProps, "onChange">) {
  return (
    <Select
      label={t("Provider")}
      defaultValue=""
      onChange={(value) => {
        const chosen = providers().find(({ key }) => key === value);
        if (chosen) onChange({ ...changeOfApi(chosen.api), baseUrl: chosen.baseUrl, name: chosen.name });
      }}
    >
      <option value="" disabled>
        {t("Choose a provider to fill in its address")}
      </option>
      {providers().map((provider) => (
        <option key={provider.key} value={provider.key}>
          {provider.name}: {provider.hint}
        </option>
      ))}
    </Select>
  );
}

/** Only OpenAI's API has another endpoint than chat. */
function changeOfApi(api: ApiEnum): Partial<Draft> {
  return api === "openai" ? { api } : { api, endpoint: "chat" };
}

function ApiChoice({ draft, apis, complaint, onChange }: ConnectionFieldsProps) {
  const cure = apis.find(({ key }) => key === draft.api)?.cure;
  return (
    <>
      <Choice<ApiEnum>
        label={t("API")}
        hint={t("The API format that the server uses.")}
        error={complaint("api")}
        value={draft.api}
        options={optionsOf<ApiEnum>({
          openai: apiName("openai"),
          anthropic: apiName("anthropic"),
          gemini: apiName("gemini"),
          transformers: apiName("transformers"),
        })}
        onChange={(api) => onChange({ ...changeOfApi(api), ...addressFor(api, draft, apis) })}
      />
      {cure && (
        <Notice tone="warning" title={t("This API needs an extra package")}>
          <p>{t("The administrator of this server can install it with this command:")}</p>
          <CommandLine command={cure} />
        </Notice>
      )}
    </>
  );
}

/** The provider's own address, where none was typed. */
function addressFor(api: ApiEnum, draft: Draft, apis: readonly OfferedApi[]): Partial<Draft> {
  const own = apis.map(({ base_url }) => base_url);
  const baseUrl = apis.find(({ key }) => key === api)?.base_url ?? "";
  return draft.baseUrl === "" || own.includes(draft.baseUrl) ? { baseUrl } : {};
}

function MoneyFields({ draft, complaint, onChange }: ConnectionFieldsProps) {
  const field = fieldsOf(draft, onChange, complaint);
  return (
    <FieldRow columns={3}>
      <TextField
        label={t("Input price")}
        hint={t("USD per million tokens")}
        inputMode="decimal"
        {...field("inputPrice")}
      />
      <TextField
        label={t("Output price")}
        hint={t("USD per million tokens")}
        inputMode="decimal"
        {...field("outputPrice")}
      />
      <TextField
        label={t("Spending limit")}
        hint={t("USD for all runs. Leave empty for no limit.")}
        inputMode="decimal"
        {...field("spendCap")}
      />
    </FieldRow>
  );
}

function PaceFields({ draft, apis, complaint, onChange }: ConnectionFieldsProps) {
  const field = fieldsOf(draft, onChange, complaint);
  const known = apis.find(({ key }) => key === draft.api)?.parameters.join(", ");
  return (
    <More summary={t("Rate limits and additional parameters")}>
      <Fields>
        <FieldRow columns={3}>
          <TextField
            label={t("Calls per minute")}
            hint={t("Leave empty for no limit.")}
            inputMode="numeric"
            {...field("requestsPerMinute")}
          />
          {draft.api !== "transformers" && (
            <TextField label={t("Concurrent calls")} inputMode="numeric" {...field("parallelCalls")} />
          )}
          <TextField label={t("Timeout (seconds)")} inputMode="numeric" {...field("timeoutSeconds")} />
        </FieldRow>
        {draft.api === "openai" && (
          <Choice
            label={t("Endpoint")}
            value={draft.endpoint}
            options={optionsOf({ chat: t("Chat"), completion: t("Completion (older models)") })}
            onChange={(endpoint) => onChange({ endpoint })}
          />
        )}
        <TextArea
          label={t("Additional parameters (JSON)")}
          hint={known && t("Possible parameters: {names}", { names: known })}
          rows={4}
          spellCheck={false}
          {...field("parameters")}
        />
      </Fields>
    </More>
  );
}

interface Draft {
  readonly name: string;
  readonly api: ApiEnum;
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
  api: "openai",
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
    api: connection.api,
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
    api: draft.api,
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
