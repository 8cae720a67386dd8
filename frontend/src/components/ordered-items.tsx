/** Things whose order counts, while they are edited: each with its fields, moved, removed, added. */
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "./button";
import { FormError } from "./form";
import styles from "./ordered-items.module.css";

interface OrderedItemsProps<Item> {
  readonly items: readonly Item[];
  /** One of them; with its place it tells equal buttons apart: "Remove rule 2". */
  readonly noun: string;
  readonly addition: { readonly words: string; readonly item: Item };
  readonly fewest?: number;
  readonly most?: number;
  readonly error?: string | null | undefined;
  readonly onChange: (items: readonly Item[]) => void;
  readonly children: (item: Item, place: number, change: (part: Partial<Item>) => void) => ReactNode;
}

export function OrderedItems<Item>(props: OrderedItemsProps<Item>) {
  const { items, noun, addition, fewest = 0, most = Infinity, error, onChange, children } = props;
  const focus = useFollowingFocus(items);
  return (
    <>
      {items.length > 0 && (
        <ol ref={focus.list} className={styles["items"]}>
          {items.map((item, place) => (
            <li key={place} className={styles["item"]}>
              {children(item, place, (part) => onChange(put(items, place, part)))}
              <ItemActions
                name={`${noun} ${place + 1}`}
                isFirst={place === 0}
                isLast={place === items.length - 1}
                canRemove={items.length > fewest}
                onMove={(by) => {
                  focus.follow(place + by, by);
                  onChange(moved(items, place, by));
                }}
                onRemove={() => {
                  focus.follow(place, 0);
                  onChange(without(items, place));
                }}
              />
            </li>
          ))}
        </ol>
      )}
      {error && <FormError>{error}</FormError>}
      <div ref={focus.adding}>
        <Button
          size="small"
          disabled={items.length >= most}
          onClick={() => onChange([...items, addition.item])}
        >
          {addition.words}
        </Button>
      </div>
    </>
  );
}

/** Keeps the focus of a keyboard with the item that was moved, and in the list when one was removed. */
function useFollowingFocus(items: readonly unknown[]) {
  const list = useRef<HTMLOListElement>(null);
  const adding = useRef<HTMLDivElement>(null);
  const wanted = useRef<{ place: number; act: -1 | 0 | 1 } | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    const { place, act } = wanted.current;
    wanted.current = null;
    const buttons = [...(list.current?.children[place]?.querySelectorAll("button") ?? [])];
    const [up, down, remove] = buttons.slice(-3);
    const order = act === -1 ? [up, down] : act === 1 ? [down, up] : [remove];
    const usable = order.find((button) => button && !button.disabled);
    (usable ?? adding.current?.querySelector("button"))?.focus();
  }, [items]);
  const follow = (place: number, act: -1 | 0 | 1) => {
    wanted.current = { place, act };
  };
  return { list, adding, follow };
}

interface ItemActionsProps {
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly canRemove: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

function ItemActions({ name, isFirst, isLast, canRemove, onMove, onRemove }: ItemActionsProps) {
  return (
    <div className="row">
      <Button size="small" variant="quiet" disabled={isFirst} onClick={() => onMove(-1)}>
        Move up<span className="visually-hidden">, {name}</span>
      </Button>
      <Button size="small" variant="quiet" disabled={isLast} onClick={() => onMove(1)}>
        Move down<span className="visually-hidden">, {name}</span>
      </Button>
      <Button size="small" variant="quiet" disabled={!canRemove} onClick={onRemove}>
        Remove<span className="visually-hidden"> {name}</span>
      </Button>
    </div>
  );
}

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
