import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';

/**
 * One event of a streamed reply, with the type of the API's own client. Ignore unknown events: newer kinds arrive too.
 */
export type StreamEvent = RawMessageStreamEvent;
