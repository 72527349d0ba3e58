import { Link } from "@tanstack/react-router";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { useCurrentProjectId, useOpenSection, useSections } from "./navigation-pages.ts";
import classes from "./SectionTabs.module.css";

/** The links between the pages of a section, above each of them. Renders nothing for a single page. */
export function SectionTabs() {
  const { t } = useTranslation();
  const projectId = useCurrentProjectId() ?? 0;
  const { section, isPage } = useOpenSection();
  const pages = useSections().find(([first]) => first?.section === section) ?? [];
  if (!isPage || pages.length < 2) return null;
  return (
    <nav className={classes.tabs} aria-label={t("shell.section")}>
      {pages.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          params={{ projectId }}
          activeOptions={{ exact: true, includeSearch: false }}
          className={classes.tab}
        >
          {t(`shell.${name}`)}
        </Link>
      ))}
    </nav>
  );
}
