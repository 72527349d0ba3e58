import { useLayoutEffect, useMemo, useReducer, useRef } from "react";
import type { Flag } from "../../../shared/api/types.ts";

/** The fields that the list keeps of a selected flag, because the flag may be on another page. */
export type SelectedFlag = Pick<Flag, "id" | "name" | "archived">;

interface State {
  /** The list to which the selection belongs: its project and its filters. */
  scope: string;
  chosen: ReadonlyMap<number, SelectedFlag>;
  /** The flag that was selected or deselected last. A range starts there. */
  anchor: number | undefined;
}

/** A click on the checkbox of one flag. `isRange`: the shift key was held. */
export interface Toggle {
  flag: SelectedFlag;
  isOn: boolean;
  isRange: boolean;
}

type Action =
  | { kind: "toggle"; toggle: Toggle; rows: readonly SelectedFlag[] }
  | { kind: "set"; flags: readonly SelectedFlag[]; isOn: boolean }
  | { kind: "replace"; flags: readonly SelectedFlag[] };

function reduce(state: State, action: Action & { scope: string }): State {
  const { scope } = action;
  const before = state.scope === scope ? state : { scope, chosen: new Map(), anchor: undefined };
  if (action.kind === "replace") {
    const chosen = new Map(action.flags.map((flag) => [flag.id, flag]));
    return { scope, chosen, anchor: undefined };
  }
  const { flags, isOn } = action.kind === "set" ? action : toggled(before, action);
  const chosen = new Map(before.chosen);
  for (const flag of flags)
    if (isOn) chosen.set(flag.id, flag);
    else chosen.delete(flag.id);
  return { scope, chosen, anchor: action.kind === "toggle" ? action.toggle.flag.id : undefined };
}

/** Returns the flags of a click. With the shift key, these are all rows from the last click on. */
function toggled(
  { anchor }: State,
  { toggle: { flag, isOn, isRange }, rows }: Action & { kind: "toggle" },
) {
  const [from, to] = [anchor, flag.id].map((id) => rows.findIndex((row) => row.id === id));
  if (!isRange || from === undefined || to === undefined || from < 0 || to < 0)
    return { flags: [flag], isOn };
  return { flags: rows.slice(Math.min(from, to), Math.max(from, to) + 1), isOn };
}

const NONE: ReadonlyMap<number, SelectedFlag> = new Map();

/**
 * The selected flags of a list. The selection stays while the user turns its pages, and ends when
 * `scope` changes. Only `selectable` flags can be selected by their checkboxes: while the result of
 * new filters loads, the list still shows the previous flags.
 */
export function useSelection(scope: string, selectable: readonly SelectedFlag[]) {
  const current = useRef(selectable);
  useLayoutEffect(() => {
    current.current = selectable;
  });
  const [state, dispatch] = useReducer(reduce, { scope, chosen: NONE, anchor: undefined });
  const chosen = state.scope === scope ? state.chosen : NONE;
  // Memoises the functions, so that the rows of the other flags do not render again when the
  // selection changes.
  const actions = useMemo(() => {
    const isSelectable = ({ id }: SelectedFlag) => current.current.some((flag) => flag.id === id);
    return {
      toggle: (toggle: Toggle) => {
        if (isSelectable(toggle.flag))
          dispatch({ kind: "toggle", toggle, rows: current.current, scope });
      },
      set: (flags: readonly SelectedFlag[], isOn: boolean) => {
        if (flags.every(isSelectable)) dispatch({ kind: "set", flags, isOn, scope });
      },
      replace: (flags: readonly SelectedFlag[]) => dispatch({ kind: "replace", flags, scope }),
    };
  }, [scope]);
  return useMemo(() => ({ chosen, ...actions }), [chosen, actions]);
}

export type Selection = ReturnType<typeof useSelection>;
