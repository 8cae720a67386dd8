/** The fields of a connection: where, which model, what it costs, how fast. */
import type { Connection } from "../../api/contract";
import { Checkbox, Select, TextArea, TextField } from "../../components/field";
import { FieldRow } from "../../components/field-row";
import { Fields } from "../../components/form";
import { More } from "../../components/more";
import type { Draft } from "./draft";
import { PROVIDERS } from "./providers";

interface ConnectionFieldsProps {
  readonly draft: Draft;
  readonly connection: Connection | undefined;
  readonly complaint: (field: string) => string | null;
  readonly onChange: (changes: Partial<Draft>) => void;
}

export function ConnectionFields(props: ConnectionFieldsProps) {
  const { draft, connection, complaint, onChange } = props;
  return (
    <>
      {!connection && <ProviderChoice onChange={onChange} />}
      <FieldRow>
        <TextField
          label="Name"
          required
          value={draft.name}
          error={complaint("name")}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <TextField
          label="Model"
          required
          value={draft.model}
          error={complaint("model")}
          onChange={(event) => onChange({ model: event.target.value })}
        />
      </FieldRow>
      <TextField
        label="Address (base URL)"
        required
        inputMode="url"
        spellCheck={false}
        value={draft.baseUrl}
        error={complaint("base_url")}
        onChange={(event) => onChange({ baseUrl: event.target.value })}
      />
      <TextField
        label="Key"
        type="password"
        autoComplete="off"
        hint={keyHint(connection)}
        value={draft.key}
        error={complaint("key")}
        onChange={(event) => onChange({ key: event.target.value })}
      />
      {connection?.has_key && (
        <Checkbox
          label="Forget the stored key"
          checked={draft.isKeyForgotten}
          onChange={(event) => onChange({ isKeyForgotten: event.target.checked })}
        />
      )}
      <MoneyFields {...props} />
      <PaceFields {...props} />
    </>
  );
}

function keyHint(connection: Connection | undefined): string {
  const lasting = "It is kept encrypted, never shown again, and sent only to this address.";
  if (!connection?.has_key) return `Empty where the server asks for none. ${lasting}`;
  return `A key ending in ${connection.key_last_four} is stored; empty keeps it. With another address it must be typed again.`;
}

function ProviderChoice({ onChange }: Pick<ConnectionFieldsProps, "onChange">) {
  return (
    <Select
      label="Kind of server"
      defaultValue=""
      onChange={(event) => {
        const chosen = PROVIDERS.find(({ key }) => key === event.target.value);
        if (chosen) onChange({ baseUrl: chosen.baseUrl, name: chosen.name });
      }}
    >
      <option value="" disabled>
        Choose to begin with its address
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
  return (
    <FieldRow columns={3}>
      <TextField
        label="Price of input"
        hint="USD per million tokens"
        inputMode="decimal"
        value={draft.inputPrice}
        error={complaint("input_price")}
        onChange={(event) => onChange({ inputPrice: event.target.value })}
      />
      <TextField
        label="Price of output"
        hint="USD per million tokens"
        inputMode="decimal"
        value={draft.outputPrice}
        error={complaint("output_price")}
        onChange={(event) => onChange({ outputPrice: event.target.value })}
      />
      <TextField
        label="Never spend more than"
        hint="USD over all runs; empty: no limit"
        inputMode="decimal"
        value={draft.spendCap}
        error={complaint("spend_cap")}
        onChange={(event) => onChange({ spendCap: event.target.value })}
      />
    </FieldRow>
  );
}

function PaceFields({ draft, complaint, onChange }: ConnectionFieldsProps) {
  return (
    <More summary="Pace and further parameters">
      <Fields>
        <FieldRow columns={3}>
          <TextField
            label="Calls a minute"
            hint="Empty: no limit"
            inputMode="numeric"
            value={draft.requestsPerMinute}
            error={complaint("requests_per_minute")}
            onChange={(event) => onChange({ requestsPerMinute: event.target.value })}
          />
          <TextField
            label="Calls at once"
            inputMode="numeric"
            value={draft.parallelCalls}
            error={complaint("parallel_calls")}
            onChange={(event) => onChange({ parallelCalls: event.target.value })}
          />
          <TextField
            label="Wait at most (seconds)"
            inputMode="numeric"
            value={draft.timeoutSeconds}
            error={complaint("timeout_seconds")}
            onChange={(event) => onChange({ timeoutSeconds: event.target.value })}
          />
        </FieldRow>
        <Select
          label="Way of asking"
          value={draft.endpoint}
          onChange={(event) => onChange({ endpoint: event.target.value as Draft["endpoint"] })}
        >
          <option value="chat">Chat</option>
          <option value="completion">Completion (older models)</option>
        </Select>
        <TextArea
          label="Further parameters (JSON)"
          rows={4}
          spellCheck={false}
          value={draft.parameters}
          error={complaint("parameters")}
          onChange={(event) => onChange({ parameters: event.target.value })}
        />
      </Fields>
    </More>
  );
}
