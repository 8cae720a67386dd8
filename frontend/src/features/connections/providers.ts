/** Kinds of servers, as a start for the form; everything can be changed. */

export interface Provider {
  readonly key: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly hint: string;
}

export const PROVIDERS: readonly Provider[] = [
  {
    key: "openai",
    name: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    hint: "Needs a key of your own.",
  },
  {
    key: "azure",
    name: "Azure OpenAI",
    baseUrl: "https://NAME.openai.azure.com/openai/v1",
    hint: "NAME is your resource; the model is the name of your deployment.",
  },
  {
    key: "vllm",
    name: "vLLM",
    baseUrl: "http://127.0.0.1:8000/v1",
    hint: "The operator of this server must allow its address (ASSAY_LLM_ALLOWED_HOSTS).",
  },
  {
    key: "ollama",
    name: "Ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    hint: "The operator of this server must allow its address (ASSAY_LLM_ALLOWED_HOSTS).",
  },
  {
    key: "llama.cpp",
    name: "llama.cpp",
    baseUrl: "http://127.0.0.1:8080/v1",
    hint: "The operator of this server must allow its address (ASSAY_LLM_ALLOWED_HOSTS).",
  },
  { key: "other", name: "Another", baseUrl: "https://", hint: "Any server that speaks OpenAI’s protocol." },
];
