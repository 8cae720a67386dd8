/** A web search prepared from the question and an answer. */

const SEARCH_ADDRESS = "https://duckduckgo.com/";

export function searchAddress(question: string, answer: string | null): string {
  const words = [question, answer ?? ""].join(" ").trim().replaceAll(/\s+/g, " ").slice(0, 300);
  return `${SEARCH_ADDRESS}?${new URLSearchParams({ q: words }).toString()}`;
}

/** The search engine learns neither where the question comes from nor gets a handle on this page. */
export function openSearch(question: string, answer: string | null): void {
  window.open(searchAddress(question, answer), "_blank", "noopener,noreferrer");
}
