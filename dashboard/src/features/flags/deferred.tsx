import { Input } from "@mantine/core";
import { deferred } from "../../shared/ui/deferred.tsx";
import type { FilterProps } from "./Filter.tsx";
import classes from "./FlagFilters.module.css";

/** The controls of the flags page whose code loads after the flags are shown. */
export const Filter = deferred(
  async () => (await import("./Filter.tsx")).Filter,
  ({ label }: FilterProps) => (
    <Input component="div" className={classes.filter} c="dimmed" aria-hidden>
      {label}
    </Input>
  ),
);
export const SortSelect = deferred(async () => (await import("./SortSelect.tsx")).SortSelect);
export const FlagMenu = deferred(async () => (await import("./FlagMenu.tsx")).FlagMenu);
export const CreateFlagModal = deferred(
  async () => (await import("./CreateFlagModal.tsx")).CreateFlagModal,
);
export const SavedFilters = deferred(async () => (await import("./SavedFilters.tsx")).SavedFilters);
export const RecentFlags = deferred(async () => (await import("./RecentFlags.tsx")).RecentFlags);
export const SelectionBar = deferred(
  async () => (await import("./bulk/SelectionBar.tsx")).SelectionBar,
);
