/** The components of lazy.ts, in one file, because the list shows most of them at once. */
export { SelectionBar } from "./bulk/SelectionBar.tsx";
export { ColumnPicker } from "./ColumnPicker.tsx";
export { CreateFlagModal } from "./CreateFlagModal.tsx";
export { Filters } from "./Filters.tsx";
export { FlagMenu } from "./FlagMenu.tsx";
export { SavedFilters } from "./SavedFilters.tsx";
