import { lazyPart } from "../../shared/lazy.ts";

/*
 * The controls of the list of flags that open something: selects, menus and dialogs of Mantine. The
 * first flag does not wait for their code.
 */

const parts = () => import("./lazy-parts.ts");

export const ColumnPicker = lazyPart(async () => (await parts()).ColumnPicker);
export const CreateFlagModal = lazyPart(async () => (await parts()).CreateFlagModal);
export const Filters = lazyPart(async () => (await parts()).Filters);
export const FlagMenu = lazyPart(async () => (await parts()).FlagMenu);
export const SavedFilters = lazyPart(async () => (await parts()).SavedFilters);
export const SelectionBar = lazyPart(async () => (await parts()).SelectionBar);
