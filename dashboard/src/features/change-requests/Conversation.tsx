import { Badge, Button, Paper, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { UserAvatar } from "../../shared/ui/UserAvatar.tsx";
import classes from "./ChangeRequestPage.module.css";

/** The maximum length of a comment, in characters. The API rejects longer comments. */
export const MAX_COMMENT = 4000;

/** The reviews and the comments of a request, the oldest first, and an input for a comment. */
export function Conversation({ request }: { request: ChangeRequest }) {
  const { t } = useTranslation();
  const mayComment = useCan("change-request:write");
  // Only API keys get no names.
  const entries = [
    ...request.reviews.map(({ userId, name, verdict, comment, counts, at }) => ({
      id: `review ${userId}`,
      name: name ?? "",
      did: t(`changeRequests.verdicts.${verdict}`),
      text: comment,
      lapsed: !counts && request.state === "open",
      at,
    })),
    ...request.comments.map(({ id, author, displayName, text, at }) => ({
      id: `comment ${id}`,
      name: displayName ?? author ?? "",
      did: t("changeRequests.commented"),
      text,
      lapsed: false,
      at,
    })),
  ].toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <Paper withBorder radius="md" p="md">
      {entries.length === 0 && (
        <Text size="sm" c="dimmed" mb={mayComment ? "md" : 0}>
          {t("changeRequests.quiet")}
        </Text>
      )}
      {entries.length > 0 && (
        <ul className={classes.entries}>
          {entries.map(({ id, name, did, text, lapsed, at }) => (
            <li key={id} className={classes.entry}>
              <UserAvatar name={name} />
              <div>
                <Text size="sm" component="div">
                  <Text span inherit fw={600}>
                    {name}
                  </Text>{" "}
                  {did}{" "}
                  <Text span inherit c="dimmed">
                    <TimeAgo at={at} />
                  </Text>{" "}
                  {lapsed && (
                    <Badge variant="outline" color="gray" title={t("changeRequests.lapsedText")}>
                      {t("changeRequests.lapsed")}
                    </Badge>
                  )}
                </Text>
                {text !== null && (
                  <Text size="sm" className={classes.said}>
                    {text}
                  </Text>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {mayComment && <CommentForm id={request.id} />}
    </Paper>
  );
}

function CommentForm({ id }: Pick<ChangeRequest, "id">) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const comment = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST("/api/v1/change-requests/{id}/comments", {
          params: { path: { id } },
          body: { text },
        }),
      ),
    onSuccess: () => setText(""),
  });
  return (
    <form
      aria-busy={comment.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "" && !comment.isPending) comment.mutate();
      }}
    >
      <Stack gap="sm" align="flex-start">
        {comment.error && <ErrorAlert error={comment.error} />}
        <Textarea
          w="100%"
          label={t("changeRequests.comment")}
          placeholder={t("changeRequests.commentHint")}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          maxLength={MAX_COMMENT}
          autosize
          minRows={2}
          maxRows={8}
        />
        <Button
          type="submit"
          variant="default"
          disabled={text.trim() === ""}
          loading={comment.isPending}
        >
          {t("changeRequests.addComment")}
        </Button>
      </Stack>
    </form>
  );
}
