import { IconWorld } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Environment } from "../api/types.ts";
import { environmentsQuery } from "../data/environments.ts";
import { useOpenProjectId, useProjectId } from "../data/use-project-id.ts";
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

/** The colours of the environments that are not production, in the order in which they are used. */
const HUES = ["blue", "violet", "teal", "pink", "cyan", "lime"] as const;

type EnvironmentHue = "production" | "unknown" | (typeof HUES)[number];

/**
 * Returns a function that gives each environment of a project its colour. Every production
 * environment has the colour that no other environment has. The others take the colours in the
 * order of their creation. After six environments the colours repeat, so a text must always name
 * the environment, too.
 */
function environmentHues(
  environments: readonly Pick<Environment, "id" | "production">[],
): (id: number) => EnvironmentHue {
  const others = environments.filter(({ production }) => !production).map(({ id }) => id);
  const known = new Set(environments.map(({ id }) => id));
  return (id) => {
    if (!known.has(id)) return "unknown";
    const index = others.indexOf(id);
    return index === -1 ? "production" : (HUES[index % HUES.length] ?? "unknown");
  };
}

/** A hook for `environmentHues` of a project. Without a project, all colours are unknown. */
function useEnvironmentHuesOf(projectId: number | undefined): (id: number) => EnvironmentHue {
  const { data = [] } = useQuery({
    ...environmentsQuery(projectId ?? 0),
    enabled: projectId !== undefined,
  });
  return environmentHues(data);
}

/** A hook for `environmentHues` of the project in the URL. */
const useEnvironmentHues = () => useEnvironmentHuesOf(useProjectId());
