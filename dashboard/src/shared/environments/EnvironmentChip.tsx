import { IconWorld } from "@tabler/icons-react";
import type { Environment } from "../api/types.ts";
import { useOpenProjectId } from "../data/use-project-id.ts";
import {
  type EnvironmentHue,
  useEnvironmentHues,
  useEnvironmentHuesOf,
} from "./environment-hue.ts";
import classes from "./EnvironmentChip.module.css";

/** The name of an environment of the project in the URL, in the colour of the environment. */
export function EnvironmentChip({ id, name }: Pick<Environment, "id" | "name">) {
  return <Chip hue={useEnvironmentHues()(id)} name={name} />;
}

/**
 * The name of an environment of any project, in small letters. Outside of the project's pages, only
 * production has a colour, because the colours of the others depend on all environments.
 */
export function SmallEnvironmentChip({
  id,
  name,
  production,
}: Pick<Environment, "id" | "name" | "production">) {
  const hue = useEnvironmentHuesOf(useOpenProjectId())(id);
  return <Chip hue={production ? "production" : hue} name={name} isSmall />;
}

/**
 * The name of a production environment in the colour of production. For dialogs, which do not know
 * the project.
 */
export function ProductionChip({ name }: Pick<Environment, "name">) {
  return <Chip hue="production" name={name} />;
}

interface ChipProps {
  hue: EnvironmentHue;
  name: string;
  isSmall?: boolean;
}

function Chip({ hue, name, isSmall = false }: ChipProps) {
  return (
    <span className={classes.chip} data-hue={hue} data-small={isSmall || undefined} title={name}>
      <Dot hue={hue} />
      <span className={classes.name}>{name}</span>
    </span>
  );
}

/** A dot in the colour of an environment. Beside it, a text must name the environment. */
export function EnvironmentDot({ id }: Pick<Environment, "id">) {
  const hue = useEnvironmentHues()(id);
  return (
    <span className={classes.alone} data-hue={hue}>
      <Dot hue={hue} />
    </span>
  );
}

/** Production has an icon, so that users need not tell colours apart. */
function Dot({ hue }: { hue: EnvironmentHue }) {
  return hue === "production" ? (
    <IconWorld size={14} stroke={2} aria-hidden className={classes.icon} />
  ) : (
    <span className={classes.dot} aria-hidden />
  );
}
