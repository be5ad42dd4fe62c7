import type { Envelope } from '../core/events.js';
import { contentText } from '../journal/entries/content-text.js';
import type { ViewState } from './view-state.js';

/** A message to an agent. Times are epoch ms. */
export type MessageView = {
  readonly kind: Envelope['kind'];
  /** `user`, or the ID of the agent or task that sent it. */
  readonly from: string;
  /** ID of the agent that gets it. */
  readonly to: string;
  readonly text: string;
  readonly sentAt: number;
  /** When the agent took it into its conversation; undefined if it has not. */
  readonly seenAt: number | undefined;
};

/** The messages to all agents, in the order in which they were sent. */
export function selectMessages({ agents }: ViewState): readonly MessageView[] {
  const messages = [...agents].flatMap(([to, { items, unread }]): readonly MessageView[] => [
    ...items.flatMap((item) => {
      if (item.type !== 'message') return [];
      const { kind, from, text, sentAt, at: seenAt } = item;
      return [{ kind, from, to, text, sentAt, seenAt }];
    }),
    ...unread.map(({ kind, from, content, at: sentAt }) => {
      return { kind, from, to, text: contentText(content), sentAt, seenAt: undefined };
    }),
  ]);
  return messages.toSorted((a, b) => a.sentAt - b.sentAt);
}
