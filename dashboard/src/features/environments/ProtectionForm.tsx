import { NumberInput, Select, Switch } from "@mantine/core";
import { useMutation, useQuery, queryOptions } from "@tanstack/react-query";
import { useState } from "react";
import { reasonHeader } from "../../shared/api/change-reason.ts";
import { dataOf } from "../../shared/api/response.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import { api } from "../../shared/api/client.ts";
import type { Environment, Schemas } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { ReasonInput } from "../../shared/ui/ReasonInput.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { type Member, MembersInput } from "./MembersInput.tsx";

/** The most approvals that an environment can require. The API rejects more. */
const MAX_APPROVALS = 5;

interface Props {
  environment: Environment;
  onClose: () => void;
}

/** The protection of an environment, which administrators change. */
export function ProtectionForm({ environment, onClose }: Props) {
  const protection = useQuery(protectionQuery(environment.id));
  return (
    <QueryView query={protection}>
      {(known) => <LoadedForm known={known} environment={environment} onClose={onClose} />}
    </QueryView>
  );
}

interface LoadedProps extends Props {
  known: {
    readonly protection: Schemas["Protection"];
    readonly members: readonly Member[];
    readonly etag: string;
  };
}

function LoadedForm({ known, environment: { id, name }, onClose }: LoadedProps) {
  const { t } = useTranslation();
  const { done } = useNotify();
  // The form keeps the state as it was opened. If somebody changes it meanwhile, saving is a 412.
  const [{ protection, etag, ...loaded }] = useState(known);
  const { eligibleApprovers, ...policy } = protection;
  const save = useMutation({
    mutationFn: ({ reason, members, ...body }: typeof form.values) =>
      rewordError(
        saveProtection(id, etag, {
          body,
          members: body.memberAccess === "list" && members !== loaded.members ? members : undefined,
          reason,
        }),
        {
          codes: {
            BAD_REQUEST: t("environments.protection.weaker"),
            CONFLICT: t("environments.protection.tooFew"),
          },
        },
      ),
  });
  const { form, pending, error, onSubmit } = useServerForm({
    form: { initialValues: { ...policy, members: loaded.members, reason: "" } },
    submit: async (values) => {
      await save.mutateAsync(values);
      done(t("environments.protection.saved", { name }));
      onClose();
    },
  });
  const switchOf = (field: "requireReason" | "allowTurnOff" | "allowBypass") => (
    <Switch
      label={t(`environments.protection.${field}`)}
      description={t(`environments.protection.${field}Hint`)}
      {...form.getInputProps(field, { type: "checkbox" })}
    />
  );
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NumberInput
        label={t("environments.protection.requiredApprovals")}
        description={t("environments.protection.requiredApprovalsHint", {
          people: t("environments.protection.people", { count: eligibleApprovers }),
        })}
        min={0}
        max={MAX_APPROVALS}
        allowDecimal={false}
        {...form.getInputProps("requiredApprovals")}
      />
      <Select
        label={t("environments.protection.approverRole")}
        allowDeselect={false}
        data={[
          { value: "DEVELOPER", label: t("users.roles.DEVELOPER") },
          { value: "ADMIN", label: t("users.roles.ADMIN") },
        ]}
        {...form.getInputProps("approverRole")}
      />
      <Select
        label={t("environments.protection.memberAccess")}
        allowDeselect={false}
        data={(["roles", "list"] as const).map((value) => ({
          value,
          label: t(`environments.protection.${value}`),
        }))}
        {...form.getInputProps("memberAccess")}
      />
      {form.values.memberAccess === "list" && (
        <MembersInput
          value={form.values.members}
          onChange={(members) => form.setFieldValue("members", members)}
        />
      )}
      {switchOf("requireReason")}
      {switchOf("allowTurnOff")}
      {switchOf("allowBypass")}
      <ReasonInput
        value={form.values.reason}
        onChange={(reason) => form.setFieldValue("reason", reason)}
      />
      <FormActions onCancel={onClose} pending={pending} submit={t("common.save")} />
    </ServerForm>
  );
}

interface Change {
  body: Schemas["SetProtection"];
  /** Undefined: the members stay as they are. */
  members: readonly Member[] | undefined;
  reason: string;
}

/** Saves the members before the protection, because the protection may require one of them. */
async function saveProtection(id: number, loaded: string, { body, members, reason }: Change) {
  let etag = loaded;
  const params = () => ({
    path: { id },
    header: { "If-Match": etag, ...reasonHeader(reason) },
  });
  if (members) {
    const { response } = await api.PUT("/api/v1/environments/{id}/members", {
      params: params(),
      body: { members: [...members] },
    });
    etag = response.headers.get("ETag") ?? etag;
  }
  await api.PUT("/api/v1/environments/{id}/protection", { params: params(), body });
}

/** The protection of an environment, its members, and the entity tag of both. */
const protectionQuery = (environmentId: number) =>
  queryOptions({
    queryKey: ["environments", "protection", environmentId],
    queryFn: async ({ signal }) => {
      const params = { path: { id: environmentId } };
      // The members come first: if somebody changes one of the two meanwhile, saving is a 412.
      const members = api.GET("/api/v1/environments/{id}/members", { params, signal });
      const { response, data } = await members;
      return {
        etag: response.headers.get("ETag") ?? "",
        members: data?.members ?? [],
        protection: await dataOf(
          api.GET("/api/v1/environments/{id}/protection", { params, signal }),
        ),
      };
    },
    // The form must not begin with an old state.
    gcTime: 0,
    staleTime: 0,
  });
