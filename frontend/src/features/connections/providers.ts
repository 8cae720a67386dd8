/** Who offers models, with which API and at which address. */
import type { ApiEnum } from "../../api/schema";
import { t } from "../../lib/i18n/t";

interface Provider {
  readonly key: string;
  readonly name: string;
  readonly api: ApiEnum;
  readonly baseUrl: string;
  readonly hint: string;
}

export function apiName(api: ApiEnum): string {
  if (api === "openai") return t("OpenAI-compatible");
  if (api === "transformers") return t("Local model (transformers)");
  return api === "anthropic" ? "Anthropic" : "Gemini";
}

export function providers(): readonly Provider[] {
  const ownKey = t("Requires your own key.");
  const allowed = t(
    "The administrator of this server must first allow this address (ASSAY_LLM_ALLOWED_HOSTS).",
  );
  return [
    { key: "openai", name: "OpenAI", api: "openai", baseUrl: "https://api.openai.com/v1", hint: ownKey },
    {
      key: "azure",
      name: "Azure OpenAI",
      api: "openai",
      baseUrl: "https://NAME.openai.azure.com/openai/v1",
      hint: t("Replace NAME with your resource name. For the model, enter your deployment name."),
    },
    {
      key: "anthropic",
      name: "Anthropic",
      api: "anthropic",
      baseUrl: "https://api.anthropic.com",
      hint: ownKey,
    },
    {
      key: "gemini",
      name: "Google Gemini",
      api: "gemini",
      baseUrl: "https://generativelanguage.googleapis.com",
      hint: ownKey,
    },
    { key: "vllm", name: "vLLM", api: "openai", baseUrl: "http://127.0.0.1:8000/v1", hint: allowed },
    { key: "ollama", name: "Ollama", api: "openai", baseUrl: "http://127.0.0.1:11434/v1", hint: allowed },
    {
      key: "llama.cpp",
      name: "llama.cpp",
      api: "openai",
      baseUrl: "http://127.0.0.1:8080/v1",
      hint: allowed,
    },
    {
      key: "transformers",
      name: t("Local model (transformers)"),
      api: "transformers",
      baseUrl: "",
      hint: t("Runs in Assay’s own workers."),
    },
    {
      key: "other",
      name: t("Other"),
      api: "openai",
      baseUrl: "https://",
      hint: t("Any server with an OpenAI-compatible API."),
    },
  ];
}
