import { useQuery } from "@tanstack/react-query";
import { createContext } from "react";
import { flagQuery } from "../../shared/data/flag.ts";
import { type ManagedFields, managedFieldsIn } from "./managed.ts";

/** The managed fields of the flag itself, or of its strategy in an environment. */
export function useManagedFields(flagId: number, environmentId: number | null): ManagedFields {
  const { data } = useQuery(flagQuery(flagId));
  return managedFieldsIn(data?.related?.managedBy ?? [], environmentId);
}

/** The managed fields of the strategy that a form edits. */
export const ManagedFieldsContext = createContext<ManagedFields>(new Map());
