import { IconApi } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Navigation.module.css";
import { PROJECT_PAGES, useCurrentProjectId, useOrganisationPages } from "./navigation-pages.ts";

export function Navigation() {
  const { t } = useTranslation();
  const projectId = useCurrentProjectId();
  return (
    <nav className={classes.nav} aria-label={t("shell.mainNavigation")}>
      {projectId !== undefined && (
        <ul className={classes.list} aria-label={t("shell.project")}>
          {PROJECT_PAGES.map(({ to, name, Icon }) => (
            <li key={to}>
              <Link
                to={to}
                params={{ projectId }}
                className={classes.link}
                activeProps={{ "aria-current": "page" }}
              >
                <Icon size={18} stroke={1.75} aria-hidden />
                {t(`shell.${name}`)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Organisation />
      <ul className={classes.list}>
        <li>
          <a href="/swagger-ui.html" className={classes.link}>
            <IconApi size={18} stroke={1.75} aria-hidden />
            {t("shell.apiDocs")}
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Organisation() {
  const { t } = useTranslation();
  const heading = useId();
  const pages = useOrganisationPages();
  if (pages.length === 0) return null;
  return (
    <div>
      <div id={heading} className={classes.heading}>
        {t("shell.organisation")}
      </div>
      <ul className={classes.list} aria-labelledby={heading}>
        {pages.map(({ to, name, Icon }) => (
          <li key={to}>
            <Link to={to} className={classes.link} activeProps={{ "aria-current": "page" }}>
              <Icon size={18} stroke={1.75} aria-hidden />
              {t(`shell.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
