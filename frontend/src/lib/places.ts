/** Lists changed at one place; what is left of them stays as it was. */
export function put<Item>(items: readonly Item[], place: number, change: Partial<Item>): Item[] {
  return items.map((item, index) => (index === place ? { ...item, ...change } : item));
}

export function without<Item>(items: readonly Item[], place: number): Item[] {
  return items.filter((_, index) => index !== place);
}

export function moved<Item>(items: readonly Item[], place: number, by: -1 | 1): Item[] {
  const order = [...items];
  order.splice(Math.max(0, place + by), 0, ...order.splice(place, 1));
  return order;
}
