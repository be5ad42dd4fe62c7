import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';

/**
 * One event of a streamed reply, with the type that the API's own client gives it. An event of a newer kind arrives too:
 * ignore what you do not know.
 */
export type StreamEvent = RawMessageStreamEvent;
