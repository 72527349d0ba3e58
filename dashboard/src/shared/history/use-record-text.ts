import type { AuditRecord } from "../api/types.ts";
import type { Translate } from "../i18n/translate.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { changesText } from "./change-text.ts";
import { recordChanges } from "./changes.ts";
import { fieldName, translated } from "./names.ts";
import { type ItemNames, nameInRecord } from "./item-names.ts";

export function useRecordText(names: ItemNames) {
  const { t } = useTranslation();
  const { list, exactPercent } = useFormat();
  const segment = (id: number) => names.of("segment", id);
  const words = { t, list, exactPercent, segment };

  return {
    /** Such as `Roll-out changed from 10 % to 25 %`. */
    change: (record: AuditRecord): string => {
      const known = wordsOfAction(t, record.action);
      if (known !== undefined) return sentence(known);
      const changes = recordChanges(record);
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
    kind: (entityType: string): string => kindText(t, entityType),
    field: (field: string): string => fieldName(t, field),
  };
}

/** Returns the name of who made a change, and the program or the token with which they have called. */
export function actorText(t: Translate, record: AuditRecord): string {
  const { token, via: program } = record;
  const actor = ownerText(t, record);
  if (program !== null) return t("history.viaProgram", { actor, program });
  return token === null ? actor : t("history.viaToken", { actor, token: token.name });
}

/** Returns the name of a user, a service account, an API key, or the service itself. */
function ownerText(t: Translate, { actor, onBehalfOf }: AuditRecord): string {
  if (actor.kind === "system")
    return onBehalfOf === null
      ? t("history.service")
      : t("history.serviceFor", { name: onBehalfOf });
  if (actor.name === null) return t("history.somebody");
  if (actor.kind === "key") return t("history.key", { name: actor.name });
  return actor.displayName ?? actor.name;
}

/**
 * Returns the text of an audit action. Returns undefined for actions such as `flag.updated`, whose
 * text consists of the changed fields.
 */
const wordsOfAction = (t: Translate, action: string): string | undefined =>
  translated(t, `history.did.${action.replaceAll(".", "-")}`);

/** Returns the text of what an audit record is about, or the word of a kind of another release. */
export const kindText = (t: Translate, entityType: string): string =>
  translated(t, `history.things.${entityType}`) ?? entityType;

function itemName(t: Translate, names: ItemNames, record: AuditRecord): string {
  const { entityType, entityId: id } = record;
  const known = id === null ? undefined : names.of(entityType, id);
  const current = id !== null && names.exists(entityType, id) ? known : undefined;
  const name = current ?? nameInRecord(record) ?? known ?? ownName(record);
  if (name !== undefined) return name;
  const thing = kindText(t, entityType);
  return id === null ? thing : t("history.thingWithId", { thing, id });
}

/** Returns the actor's name if the audit record is about the actor's own account. */
const ownName = ({ entityType, entityId, actor }: AuditRecord): string | undefined =>
  entityType === "user" && actor.kind === "user" && actor.id === entityId
    ? (actor.name ?? undefined)
    : undefined;

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
