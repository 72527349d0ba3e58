import { lazyPart } from "../../shared/lazy.ts";

/*
 * The controls of the list of flags that open something: selects, menus and dialogs of Mantine. The
 * first flag does not wait for their code.
 */

export const ColumnPicker = lazyPart(() => import("./ColumnPicker.tsx"), "ColumnPicker");
export const CreateFlagModal = lazyPart(
  () => import("./CreateFlagModal.tsx"),
  "CreateFlagModal",
);
export const Filters = lazyPart(() => import("./Filters.tsx"), "Filters");
export const FlagMenu = lazyPart(() => import("./FlagMenu.tsx"), "FlagMenu");
export const SavedFilters = lazyPart(() => import("./SavedFilters.tsx"), "SavedFilters");
export const SelectionBar = lazyPart(() => import("./bulk/SelectionBar.tsx"), "SelectionBar");
export const SortSelect = lazyPart(() => import("./SortSelect.tsx"), "SortSelect");
