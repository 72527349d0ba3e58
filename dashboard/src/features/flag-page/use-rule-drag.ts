import {
  draggable,
  dropTargetForElements,
} from "@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter";
import { combine } from "@atlaskit/pragmatic-drag-and-drop/utils/combine";
import { useEffect, useEffectEvent, useRef, useState } from "react";

interface Options {
  /** Identifies the list, so that a card can only be dropped into its own list. */
  list: string;
  index: number;
  onMove: (from: number, to: number) => void;
}

type Side = "before" | "after";

/**
 * A hook for a card that the mouse can drag to another place in its list. Attach the refs: `card` to
 * the whole card, `header` to the part of which the user sees a copy while dragging, and `handle` to
 * the part where a drag begins. `dropSide` says on which side of this card another card would be
 * placed.
 */
export function useRuleDrag({ list, index, onMove }: Options) {
  const card = useRef<HTMLLIElement>(null);
  const header = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLSpanElement>(null);
  const [isDragging, setIsDragging] = useState(false);
  const [dropSide, setDropSide] = useState<Side>();

  const indexOf = useEffectEvent(() => index);
  const drop = useEffectEvent((from: number, side: Side) => {
    const before = side === "before" ? index : index + 1;
    onMove(from, from < before ? before - 1 : before);
  });

  useEffect(() => {
    if (!card.current || !header.current || !handle.current) return undefined;
    const element = card.current;
    return combine(
      draggable({
        element: header.current,
        dragHandle: handle.current,
        getInitialData: () => ({ list, index: indexOf() }),
        onDragStart: () => setIsDragging(true),
        onDrop: () => setIsDragging(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data["list"] === list,
        getData: ({ input }) => {
          const { top, height } = element.getBoundingClientRect();
          return { side: input.clientY < top + height / 2 ? "before" : "after" };
        },
        onDrag: ({ self, source }) =>
          setDropSide(source.data["index"] === indexOf() ? undefined : sideOf(self.data)),
        onDragLeave: () => setDropSide(undefined),
        onDrop: ({ self, source }) => {
          setDropSide(undefined);
          const from = source.data["index"];
          if (typeof from === "number" && from !== indexOf()) drop(from, sideOf(self.data));
        },
      }),
    );
  }, [list]);

  return { card, header, handle, isDragging, dropSide };
}

const sideOf = (data: Readonly<Record<string | symbol, unknown>>): Side =>
  data["side"] === "before" ? "before" : "after";
