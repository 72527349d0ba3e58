import { useQuery } from "@tanstack/react-query";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import { flagOwnersQuery } from "../../shared/data/users.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import classes from "./FlagTable.module.css";

/** The names of the owners of a flag. */
export function OwnerNames({ flag }: { flag: EnrichedFlag }) {
  const { list } = useFormat();
  const { data = [] } = useQuery(flagOwnersQuery(flag.projectId));
  const names = data.filter(({ id }) => flag.ownerIds.includes(id)).map(({ name }) => name);
  return (
    <div className={classes.clamped} title={list(names)}>
      {list(names)}
    </div>
  );
}
