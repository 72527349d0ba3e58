import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { deferred } from "../../shared/ui/deferred.tsx";
import field from "../../shared/ui/field.module.css";
import classes from "./FlagFilters.module.css";

function FiltersPlaceholder() {
  const { t } = useTranslation();
  return (
    [
      "flags.type",
      "flags.tag",
      "flags.state",
      "flags.segment",
      "flags.owner",
      "flags.life",
    ] as const
  ).map((label) => (
    <div
      key={label}
      className={`${field.field} ${classes.filter} ${classes.placeholder}`}
      aria-hidden
    >
      {t(label)}
    </div>
  ));
}

/** The controls of the flags page whose code loads after the flags are shown. */
export const Filters = deferred(
  async () => (await import("./Filters.tsx")).Filters,
  FiltersPlaceholder,
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
export const ColumnPicker = deferred(async () => (await import("./ColumnPicker.tsx")).ColumnPicker);
export const Sparkline = deferred(async () => (await import("./Sparkline.tsx")).Sparkline);
export const OwnerNames = deferred(async () => (await import("./OwnerNames.tsx")).OwnerNames);
