import { lazyComponent } from "../../shared/lazy-component.ts";

/*
 * The controls of the list of flags that open something: selects, menus and dialogs of Mantine. The
 * first flag does not wait for their code.
 */

export const ColumnPicker = lazyComponent(() => import("./ColumnPicker.tsx"), "ColumnPicker");
export const CreateFlagModal = lazyComponent(
  () => import("./CreateFlagModal.tsx"),
  "CreateFlagModal",
);
export const Filters = lazyComponent(() => import("./Filters.tsx"), "Filters");
export const FlagMenu = lazyComponent(() => import("./FlagMenu.tsx"), "FlagMenu");
export const SavedFilters = lazyComponent(() => import("./SavedFilters.tsx"), "SavedFilters");
export const SelectionBar = lazyComponent(() => import("./bulk/SelectionBar.tsx"), "SelectionBar");
export const SortSelect = lazyComponent(() => import("./SortSelect.tsx"), "SortSelect");
