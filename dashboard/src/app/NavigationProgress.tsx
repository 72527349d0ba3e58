import { useRouterState } from "@tanstack/react-router";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import classes from "./NavigationProgress.module.css";

/** A bar at the top of the window while the next page loads. It appears after a short delay. */
export function NavigationProgress() {
  const { t } = useTranslation();
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  if (!isLoading) return null;
  return <div role="progressbar" aria-label={t("common.loading")} className={classes.bar} />;
}
