/** Leave this product for a page of another site. */

/** As by a link, which tests can follow without leaving. */
export function leaveFor(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  document.body.append(link);
  link.click();
  link.remove();
}
