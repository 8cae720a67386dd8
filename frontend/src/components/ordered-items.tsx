/** Things whose order counts, while they are edited: each with its fields, moved, removed, added. */
import type { ReactNode } from "react";
import { moved, put, without } from "../lib/places";
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
  return (
    <>
      {items.length > 0 && (
        <ol className={styles["items"]}>
          {items.map((item, place) => (
            <li key={place} className={styles["item"]}>
              {children(item, place, (part) => onChange(put(items, place, part)))}
              <ItemActions
                name={`${noun} ${place + 1}`}
                isFirst={place === 0}
                isLast={place === items.length - 1}
                canRemove={items.length > fewest}
                onMove={(by) => onChange(moved(items, place, by))}
                onRemove={() => onChange(without(items, place))}
              />
            </li>
          ))}
        </ol>
      )}
      {error && <FormError>{error}</FormError>}
      <div>
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
    <div className={styles["actions"]}>
      <Button size="small" variant="quiet" disabled={isFirst} onClick={() => onMove(-1)}>
        Up<span className="visually-hidden">, {name}</span>
      </Button>
      <Button size="small" variant="quiet" disabled={isLast} onClick={() => onMove(1)}>
        Down<span className="visually-hidden">, {name}</span>
      </Button>
      <Button size="small" variant="quiet" disabled={!canRemove} onClick={onRemove}>
        Remove<span className="visually-hidden"> {name}</span>
      </Button>
    </div>
  );
}
