/** Addresses that can be followed: links somebody typed, and ways back into this product. */

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

export function localPath(path: string | undefined): string {
  if (path === undefined || !path.startsWith("/")) return "/";
  const { origin } = window.location;
  const address = URL.canParse(path, origin) ? new URL(path, origin) : null;
  if (address === null || address.origin !== origin || path.startsWith("//")) return "/";
  return address.pathname + address.search;
}
