import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";
import classes from "./links.module.css";

type Rest<P> = Omit<ComponentPropsWithRef<"a">, keyof P>;

/** A text link to another page of the dashboard. */
export const LinkAnchor = createLink((props: AnchorProps & Rest<AnchorProps>) => (
  <Anchor {...props} />
));

/** The name of an item in a table, as a link to the page of the item. */
export const RowLink = createLink((props: AnchorProps & Rest<AnchorProps>) => (
  <Anchor c="inherit" size="sm" fw={600} {...props} />
));

/** A link to another page of the dashboard that looks like a button. */
export const LinkButton = createLink((props: ButtonProps & Rest<ButtonProps>) => (
  <Button component="a" {...props} />
));

/** The link above the heading of a page that leads back to the list of such pages. */
export const BackLink = createLink(({ children, ...props }: AnchorProps & Rest<AnchorProps>) => (
  <Anchor size="sm" {...props} className={classes.back}>
    <IconArrowLeft size={16} stroke={1.75} aria-hidden />
    {children}
  </Anchor>
));
