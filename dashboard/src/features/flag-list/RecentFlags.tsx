import { useQuery } from "@tanstack/react-query";
import { preferencesQuery } from "../../shared/data/preferences.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import classes from "./RecentFlags.module.css";

/** The list of flags links to at most this many of the flags that the user opened last. */
const SHOWN = 4;

export function RecentFlags() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { data } = useQuery(preferencesQuery(projectId));
  const recent = data?.recent.slice(0, SHOWN) ?? [];
  if (recent.length === 0) return null;
  return (
    <nav className={classes.recent} aria-label={t("recentFlags.title")}>
      <span className={classes.title} aria-hidden>
        {t("recentFlags.title")}
      </span>
      {recent.map(({ id, name }) => (
        <LinkAnchor
          key={id}
          size="sm"
          className={classes.flag}
          title={name}
          to="/projects/$projectId/flags/$flagId"
          params={{ projectId, flagId: id }}
        >
          {name}
        </LinkAnchor>
      ))}
    </nav>
  );
}
