import { deferred } from "../shared/ui/deferred.tsx";
import classes from "./ProjectSwitcher.module.css";

/** The space of a menu button of the shell until its code has loaded. */
const Button = () => <div className={classes.placeholder} />;

/** The parts of the shell whose code loads after the page is shown. */
export const AccountMenu = deferred(
  async () => (await import("./AccountMenu.tsx")).AccountMenu,
  Button,
);
export const ProjectSwitcher = deferred(
  async () => (await import("./ProjectSwitcher.tsx")).ProjectSwitcher,
  Button,
);
export const Dialogs = deferred(async () => (await import("./Dialogs.tsx")).Dialogs);
export const ShortcutsHelp = deferred(
  async () => (await import("./ShortcutsHelp.tsx")).ShortcutsHelp,
);
export const Toasts = deferred(async () => (await import("./Toasts.tsx")).Toasts);
