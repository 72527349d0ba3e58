import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../shared/data/projects.ts";
import { useCurrentSession } from "../shared/session/current-session.tsx";
import { deferred } from "../shared/ui/deferred.tsx";
import { useCurrentProjectId } from "./navigation-pages.ts";
import { PalettePlaceholder } from "./PalettePlaceholder.tsx";
import classes from "./ProjectSwitcher.module.css";

function AccountName() {
  const { user } = useCurrentSession();
  return <div className={classes.placeholder}>{user.name}</div>;
}

function ProjectName() {
  const projectId = useCurrentProjectId();
  const { data } = useQuery(projectsQuery);
  return (
    <div className={classes.placeholder}>{data?.find(({ id }) => id === projectId)?.name}</div>
  );
}

/** The parts of the shell whose code loads after the page is shown. */
export const AccountMenu = deferred(
  async () => (await import("./AccountMenu.tsx")).AccountMenu,
  AccountName,
);
export const CommandPalette = deferred(
  async () => (await import("./CommandPalette.tsx")).CommandPalette,
  PalettePlaceholder,
);
export const ProjectSwitcher = deferred(
  async () => (await import("./ProjectSwitcher.tsx")).ProjectSwitcher,
  ProjectName,
);
export const Dialogs = deferred(async () => (await import("./Dialogs.tsx")).Dialogs);
export const ShortcutsHelp = deferred(
  async () => (await import("./ShortcutsHelp.tsx")).ShortcutsHelp,
);
export const Toasts = deferred(async () => (await import("./Toasts.tsx")).Toasts);
