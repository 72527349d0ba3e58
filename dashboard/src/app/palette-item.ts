import type { TablerIcon } from "@tabler/icons-react";

/** A result of the command palette: a place to open, or an action. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly Icon?: TablerIcon;
  /** The keys that do the same, as they are shown. */
  readonly keys?: string | undefined;
  /** True if the action may open a dialog. The palette then closes first, for the focus. */
  readonly opensDialog?: boolean;
  readonly open: () => unknown;
}

export interface PaletteGroup {
  readonly name: string;
  readonly targets: readonly PaletteItem[];
}
