import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { AuditRecord } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { changesText } from "./change-text.ts";
import { changesOf } from "./changes.ts";
import { fieldName, translated } from "./names.ts";
import { nameInRecord, type ItemNames } from "./use-item-names.ts";

/** Returns functions that describe audit records in the language of the page. */
export function useRecordText(names: ItemNames) {
  const { t } = useTranslation();
  const { list, exactPercent } = useFormat();
  const words = { t, list, exactPercent, segment: names.segment };

  return {
    /**
     * Describes the change of an audit record, for example as `Roll-out changed from 10 % to 25 %`.
     */
    change: (record: AuditRecord): string => {
      const known = wordsOfAction(t, record.action);
      if (known !== undefined) return sentence(known);
      const changes = changesOf(record);
      if (changes.length === 0) return sentence(t("history.savedUnchanged"));
      return sentence(changesText(words, changes));
    },
    /**
     * Returns the current name of the item that the audit record is about. If there is no current
     * name, returns a name from an audit record. If there is no name at all, returns the kind of
     * item and the id.
     */
    item: (record: AuditRecord): string => itemName(t, names, record),
    actor: (record: AuditRecord): string => actorText(t, record),
    kind: (entityType: string): string => itemType(t, entityType),
    field: (field: string): string => fieldName(t, field),
  };
}

/** Returns the name of who made a change: a user, an API key, or the service itself. */
export function actorText(t: TFunction, { actor }: AuditRecord): string {
  if (actor.kind === "system") return t("history.service");
  if (actor.name === null) return t("history.somebody");
  return actor.kind === "key" ? t("history.key", { name: actor.name }) : actor.name;
}

/**
 * Returns the text of an audit action. Returns undefined for actions such as `flag.updated`, whose
 * text consists of the changed fields.
 */
const wordsOfAction = (t: TFunction, action: string): string | undefined =>
  translated(t, `history.did.${action.replaceAll(".", "-")}`);

const itemType = (t: TFunction, entityType: string): string =>
  translated(t, `history.things.${entityType}`) ?? entityType;

function itemName(t: TFunction, names: ItemNames, record: AuditRecord): string {
  const { entityType, entityId: id } = record;
  const current = id === null ? undefined : currentName(names, entityType, id);
  const recorded = id === null ? undefined : names.recorded(entityType, id);
  const name = current ?? nameInRecord(record) ?? recorded ?? ownName(record);
  if (name !== undefined) return name;
  const thing = itemType(t, entityType);
  return id === null ? thing : t("history.thingWithId", { thing, id });
}

function currentName(names: ItemNames, entityType: string, id: number): string | undefined {
  switch (entityType) {
    case "flag":
    case "segment":
    case "context":
    case "environment":
    case "project":
    case "integration":
    case "tag":
    case "user":
      return names[entityType](id);
    case "context-value":
      return names.contextValue(id);
    case "api-key":
      return names.apiKey(id);
    default:
      return undefined;
  }
}

/** Returns the actor's name if the audit record is about the actor's own account. */
const ownName = ({ entityType, entityId, actor }: AuditRecord): string | undefined =>
  entityType === "user" && actor.kind === "user" && actor.id === entityId
    ? (actor.name ?? undefined)
    : undefined;

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
