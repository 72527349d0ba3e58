import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { AuditRecord } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { changesOf, type FieldChange } from "./changes.ts";
import { nameInRecord, type ItemNames } from "./use-item-names.ts";

/** Returns functions that describe audit records in the language of the page. */
export function useRecordText(names: ItemNames) {
  const { t } = useTranslation();
  const { list, percent } = useFormat();

  const phrase = (change: FieldChange): string => {
    const { field } = change;
    if (change.kind === "list") return phraseOfList(field, change.removed, change.added);
    const { before, after } = change;
    if (field === "enabled")
      return t(after === true ? "history.switchedOn" : "history.switchedOff");
    if (field === "percentage" && typeof before === "number" && typeof after === "number")
      return t("history.percentage", {
        before: percent(before / 100),
        after: percent(after / 100),
      });
    if (field === "name" && typeof before === "string" && typeof after === "string")
      return t("history.renamed", { before, after });
    if (field === "stickiness" && typeof after === "string")
      return t("history.stickyBy", { field: after });
    if (field === "stickiness" && typeof before === "string")
      return t("history.notStickyBy", { field: before });
    return t("history.fieldChanged", { field: fieldName(t, field) });
  };

  const phraseOfList = (
    field: string,
    removed: readonly unknown[],
    added: readonly unknown[],
  ): string => {
    const kind = DESCRIBED_LISTS[field];
    if (!kind) return t("history.fieldChanged", { field: fieldName(t, field) });
    if (field === "constraints" && removed.length > 0 && added.length > 0)
      return t("history.constraintsChanged");
    const name = (item: unknown) =>
      (typeof item === "number" ? names.segment(item) : undefined) ?? listItemText(item);
    const of = (items: readonly unknown[]) => ({
      count: items.length,
      names: list(items.map(name)),
    });
    return list([
      ...(added.length > 0 ? [t(`history.${kind}Added`, of(added))] : []),
      ...(removed.length > 0 ? [t(`history.${kind}Removed`, of(removed))] : []),
    ]);
  };

  return {
    /**
     * Describes the change of an audit record, for example as `Roll-out changed from 10 % to 25 %`.
     */
    change: (record: AuditRecord): string => {
      const known = wordsOfAction(t, record.action);
      if (known !== undefined) return sentence(known);
      const changes = changesOf(record);
      if (changes.length === 0) return sentence(t("history.savedUnchanged"));
      return sentence(list(changes.map(phrase)));
    },
    /**
     * Returns the current name of the item that the audit record is about. Without a current name,
     * takes it from an audit record. Without any name, returns the kind of item and the id.
     */
    item: (record: AuditRecord): string => itemName(t, names, record),
    actor: ({ actor }: AuditRecord): string => {
      if (actor.kind === "system") return t("history.service");
      if (actor.name === null) return t("history.somebody");
      return actor.kind === "key" ? t("history.key", { name: actor.name }) : actor.name;
    },
    kind: (entityType: string): string => itemType(t, entityType),
    field: (field: string): string => fieldName(t, field),
  };
}

/**
 * The list fields for which a sentence about an audit record names or counts the added and removed
 * items, with the prefix of their translation keys. For other lists it only says that the field has
 * changed.
 */
const DESCRIBED_LISTS: Readonly<Record<string, "constraints" | "segments" | "tags">> = {
  constraints: "constraints",
  segmentIds: "segments",
  tags: "tags",
};

/**
 * Returns the text of an audit action. Undefined for actions such as `flag.updated`: their sentence
 * lists the changed fields instead.
 */
const wordsOfAction = (t: TFunction, action: string): string | undefined =>
  translated(t, `history.did.${action.replaceAll(".", "-")}`);

const fieldName = (t: TFunction, field: string): string =>
  translated(t, `strategy.${field}.inSentence`) ??
  translated(t, `history.fields.${field}`) ??
  field;

const itemType = (t: TFunction, entityType: string): string =>
  translated(t, `history.things.${entityType}`) ?? entityType;

/**
 * Returns the text of a translation key. Undefined if there is none, because the server may write
 * audit actions and fields that this dashboard does not know.
 */
function translated(t: TFunction, key: string): string | undefined {
  const words = t(key as "history.details", { defaultValue: "" });
  return words === "" ? undefined : words;
}

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
    case "user":
      return names[entityType](id);
    default:
      return undefined;
  }
}

/** Returns the actor's name if the audit record is about the actor's own account. */
const ownName = ({ entityType, entityId, actor }: AuditRecord): string | undefined =>
  entityType === "user" && actor.kind === "user" && actor.id === entityId
    ? (actor.name ?? undefined)
    : undefined;

/**
 * Returns the text of an item in a list: the `value` of an object that has one, such as a tag; the
 * item itself if it is a text; otherwise JSON.
 */
export function listItemText(item: unknown): string {
  if (typeof item === "object" && item !== null && "value" in item) return String(item.value);
  return typeof item === "string" ? item : JSON.stringify(item);
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
