/** A path inside this product; anything that could lead elsewhere becomes the first page. */
export function localPath(path: string | undefined): string {
  if (path === undefined || !path.startsWith("/")) return "/";
  const { origin } = window.location;
  const address = URL.canParse(path, origin) ? new URL(path, origin) : null;
  if (address === null || address.origin !== origin || path.startsWith("//")) return "/";
  return address.pathname + address.search;
}
