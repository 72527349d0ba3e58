import { ActionIcon, Group, Select, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { candidatesQuery, MAX_REVIEWERS } from "../../shared/change-requests/queries.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PersonName } from "../../shared/ui/PersonName.tsx";
import { useAllowed } from "./use-allowed.ts";
import type { RequestAction } from "./use-request-action.ts";

interface Props {
  request: ChangeRequest;
  action: RequestAction;
}

type Review = ChangeRequest["reviews"][number];

/** Who was asked to review the request and who has reviewed it, with what each has said. */
export function Reviewers({ request, action }: Props) {
  const { t } = useTranslation();
  const may = useAllowed(request);
  const { reviews, reviewers, hash } = request;
  const asked = reviewers.map(({ userId, name }) => ({
    userId,
    name: name ?? "",
    review: reviews.find((one) => one.userId === userId),
    isAsked: true,
  }));
  const others = reviews
    .filter(({ userId, counts }) => counts && asked.every((one) => one.userId !== userId))
    .map((review) => ({
      userId: review.userId,
      name: review.name ?? "",
      review,
      isAsked: false,
    }));
  return (
    <>
      {[...asked, ...others].map(({ userId, name, review, isAsked }) => (
        <Group key={userId} gap={4} wrap="nowrap">
          <Text size="sm" component="div" flex={1} miw={0}>
            <PersonName name={name} />
          </Text>
          <Said review={review} />
          {isAsked && may.ask && (
            <ActionIcon
              aria-label={t("changeRequests.reviewers.remove", { name })}
              onClick={() => {
                const done = t("changeRequests.reviewers.removed", { name });
                action.mutate({ hash, action: { kind: "ask", remove: [userId], done } });
              }}
            >
              <IconX size={14} stroke={1.75} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {may.ask && reviewers.length < MAX_REVIEWERS && (
        <AskReviewer request={request} action={action} />
      )}
    </>
  );
}

/** What a reviewer has said. An approval of an earlier state does not count any more. */
function Said({ review }: { review: Review | undefined }) {
  const { t } = useTranslation();
  const [words, colour] =
    review === undefined
      ? [t("changeRequests.reviewers.waiting"), "dimmed"]
      : review.counts
        ? [
            t(`changeRequests.verdicts.${review.verdict}`),
            review.verdict === "approve" ? "green" : "red",
          ]
        : [t(`changeRequests.reviewers.lapsed.${review.verdict}`), "dimmed"];
  return (
    <Text size="sm" c={colour} ta="right">
      {words}
    </Text>
  );
}

/** A field that asks the chosen person at once. It loads the people when it is opened. */
function AskReviewer({ request, action }: Props) {
  const { t } = useTranslation();
  const [isOpened, setIsOpened] = useState(false);
  const { id, projectId, approval, reviewers, hash } = request;
  const environmentIds = approval.environments.map((one) => one.id);
  const query = candidatesQuery({ projectId, environmentIds, requestId: id });
  const { data: people = [] } = useQuery({ ...query, enabled: isOpened });
  const free = people.filter(({ userId }) => reviewers.every((one) => one.userId !== userId));
  return (
    <Select
      aria-label={t("changeRequests.reviewers.ask")}
      placeholder={t("changeRequests.reviewers.ask")}
      data={free.map(({ userId, name }) => ({ value: String(userId), label: name ?? "" }))}
      value={null}
      onChange={(value) => {
        const person = free.find(({ userId }) => String(userId) === value);
        if (!person) return;
        const done = t("changeRequests.reviewers.asked", { name: person.name ?? "" });
        action.mutate({ hash, action: { kind: "ask", add: [person.userId], done } });
      }}
      onDropdownOpen={() => setIsOpened(true)}
      nothingFoundMessage={t("changeRequests.reviewers.nobody")}
      searchable
    />
  );
}
