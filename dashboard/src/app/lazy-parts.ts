/** The parts of the shell whose code loads beside the page, in one file, because all of them show at once. */
export { AccountMenu } from "./AccountMenu.tsx";
export { CommandPalette } from "./CommandPalette.tsx";
export { Dialogs } from "./Dialogs.tsx";
export { ProjectSwitcher } from "./ProjectSwitcher.tsx";
export { ShortcutsHelp } from "./ShortcutsHelp.tsx";
export { Toasts } from "./Toasts.tsx";
export { SideTip } from "./SideTip.tsx";
