import { Checkbox, Text } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { read, useWrite } from "../api/request.ts";
import { hasStatus } from "../api/api-error.ts";
import type { Flag } from "../api/types.ts";
import { useChangeOrPropose } from "../change-requests/use-change-or-propose.ts";
import { environmentsQuery } from "../data/environments.ts";
import { strategiesQuery } from "../data/flag.ts";
import { ProductionStrip } from "../environments/ProductionStrip.tsx";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { MAX_NAME, NameInput } from "../ui/NameInput.tsx";
import { FormActions } from "../ui/FormActions.tsx";
import { FormModal } from "../ui/FormModal.tsx";
import { ServerForm } from "../ui/ServerForm.tsx";
import { useNotify } from "../ui/use-notify.tsx";
import { useServerForm } from "../use-server-form.ts";
import { FlagKeyInput } from "./FlagKeyInput.tsx";
import { FLAG_KEY } from "./suggest-key.ts";

interface Props {
  flag: Pick<Flag, "id" | "key" | "name" | "projectId">;
  opened: boolean;
  onClose: () => void;
}

/**
 * Creates a flag with the content of `flag`, and opens its page. If that needs an approval, offers to propose it
 * (`useChangeOrPropose`).
 */
export function CloneFlagModal({ flag, opened, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <FormModal
      title={t("clone.title", { flag: flag.name })}
      opened={opened}
      onClose={onClose}
      size="lg"
    >
      <CloneFlagForm flag={flag} onClose={onClose} />
    </FormModal>
  );
}

function CloneFlagForm({ flag, onClose }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const notify = useNotify();
  const { projectId } = flag;
  const client = useQueryClient();
  // The keys that `freeKey` must avoid.
  const { data: keys } = useQuery({
    ...flagsContainingQuery(projectId, stemOf(flag.key)),
    select: ({ items }) => items.map(({ key }) => key),
  });
  const isTaken = async (key: string) => {
    const query = { ...flagsContainingQuery(projectId, key), staleTime: 0 };
    return (await client.fetchQuery(query)).items.some((known) => known.key === key);
  };
  const changeOrPropose = useChangeOrPropose();
  const { mutateAsync } = useWrite("post", "/api/v1/flags/{id}/clone");
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: {
        name: t("clone.nameOfCopy", { name: flag.name }).slice(0, MAX_NAME),
        key: freeKey(flag.key, []),
        keepState: false,
      },
      validate: {
        name: isNotEmpty(t("common.required")),
        key: (key) => (FLAG_KEY.test(key) ? null : t("flagForms.keyRule")),
      },
    },
    submit: async ({ name, ...rest }) => {
      const body = { ...rest, name: name.trim() };
      const clone = await changeOrPropose({
        projectId,
        operations: [{ kind: "flag.clone", target: { flagId: flag.id }, input: body }],
        send: () => mutateAsync({ path: { id: flag.id }, body }),
      }).catch(async (failure: unknown) => {
        // Another conflict is that the flag requires an archived one, which the message says.
        if (!hasStatus(failure, 409) || !(await isTaken(body.key))) throw failure;
        throw failure.copyWith({ details: [{ field: "key", message: t("flagForms.keyTaken") }] });
      });
      onClose();
      if (!clone) return;
      notify.done(t("clone.done", { name: body.name }));
      await navigate({
        to: "/projects/$projectId/flags/$flagId",
        params: { projectId, flagId: clone.id },
      });
    },
  });
  // Another key replaces the suggestion when the keys in use are known, unless the user has typed.
  const suggest = useEffectEvent((used: readonly string[]) => {
    if (!form.isTouched("key")) form.setValues({ key: freeKey(flag.key, used) });
  });
  useEffect(() => {
    if (keys) suggest(keys);
  }, [keys]);

  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput {...form.getInputProps("name")} />
      <FlagKeyInput {...form.getInputProps("key")} />
      <Text size="sm" c="dimmed">
        {t("clone.about")}
      </Text>
      <KeepState
        flag={flag}
        isKept={form.values.keepState}
        onChange={(isKept) => form.setFieldValue("keepState", isKept)}
      />
      <FormActions onCancel={onClose} pending={pending} submit={t("clone.submit")} />
    </ServerForm>
  );
}

interface KeepStateProps extends Pick<Props, "flag"> {
  isKept: boolean;
  onChange: (isKept: boolean) => void;
}

/** The choice whether the clone is on where the flag is on, and where that would be. */
function KeepState({ flag, isKept, onChange }: KeepStateProps) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const { data: strategies } = useQuery(strategiesQuery(flag.id));
  const { data: environments = [] } = useQuery(environmentsQuery(flag.projectId));
  const on = strategies?.filter(({ enabled }) => enabled) ?? [];
  const names = on.map(({ environmentName }) => environmentName);
  const production = environments.filter(
    ({ id, production: isProduction }) =>
      isProduction && on.some(({ environmentId }) => environmentId === id),
  );
  if (strategies && on.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("clone.isOff")}
      </Text>
    );
  return (
    <div>
      <Checkbox
        label={t("clone.keepState")}
        description={t("clone.keepStateHint")}
        checked={isKept}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {isKept && names.length > 0 && (
        <>
          <Text size="sm" my="xs" role="status">
            {t("clone.isOn", { environments: list(names) })}
          </Text>
          {production.map(({ id, name }) => (
            <ProductionStrip key={id} environment={name} />
          ))}
        </>
      )}
    </div>
  );
}

/** The longest key of a flag, in characters. */
const MAX_KEY = 128;

/** Room for `-copy-` and a number behind the key. */
const MAX_STEM = MAX_KEY - 9;

const stemOf = (key: string): string => `${key.slice(0, MAX_STEM)}-copy`;

/** Returns a key for the clone of a flag that is not in use: `key-copy`, or `key-copy-2` and so on. */
function freeKey(key: string, used: readonly string[]): string {
  const stem = stemOf(key);
  const taken = new Set(used);
  let free = stem;
  for (let n = 2; taken.has(free); n++) free = `${stem}-${n}`;
  return free;
}

/** The query (React Query) for the flags of a project whose key contains a text, also archived ones. */
const flagsContainingQuery = (projectId: number, search: string) =>
  read("/api/v1/flags", { query: { projectId, search, includeArchived: true, size: 200 } });
