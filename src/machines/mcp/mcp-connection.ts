import { assign, setup } from 'xstate';
import type { Failure } from '../../core/failure.js';

export type McpConnectionInput = { readonly server: string };

export type McpConnectionEvent =
  /** Tries again after a failure. */
  | { type: 'connection.open' }
  | { type: 'connection.opened' }
  | { type: 'connection.failed'; failure: Failure }
  /** The server ended without `connection.close`. */
  | { type: 'connection.lost'; failure: Failure }
  | { type: 'connection.retry' }
  /** The connection has been up for a while: earlier failures no longer count. */
  | { type: 'connection.settled' }
  | { type: 'connection.close' }
  | { type: 'connection.closed' };

export type McpConnectionContext = McpConnectionInput & {
  /** Reconnects since the connection was last up for a while. */
  readonly tries: number;
  readonly failure: Failure | undefined;
};

const MAX_RECONNECTS = 5;
const FIRST_DELAY_MS = 250;

/**
 * The connection to one MCP server: connecting → connected | failed. A lost connection is made again with growing
 * delays, at most five consecutive times. A first connection that fails is tried again only on request. `closing` lasts
 * until no process is left.
 */
export const mcpConnectionMachine = setup({
  types: {
    input: {} as McpConnectionInput,
    context: {} as McpConnectionContext,
    events: {} as McpConnectionEvent,
  },
  actions: {
    /** Starts the server; sends `connection.opened` or `connection.failed`. */
    connect: (_, _params: { server: string }) => {},
    /** Ends the server; sends `connection.closed`. */
    disconnect: (_, _params: { server: string }) => {},
    /** Sends `connection.retry` later. */
    armRetry: (_, _params: { server: string; delayMs: number }) => {},
    /** Sends `connection.settled` later. */
    armSettled: (_, _params: { server: string }) => {},
    /** Cancels the timers. */
    disarm: (_, _params: { server: string }) => {},
    rememberFailure: assign({
      failure: ({ context, event }) => ('failure' in event ? event.failure : context.failure),
    }),
    countTry: assign({ tries: ({ context }) => context.tries + 1 }),
  },
  guards: { mayRetry: ({ context }) => context.tries < MAX_RECONNECTS },
}).createMachine({
  id: 'mcpConnection',
  context: ({ input }) => ({ ...input, tries: 0, failure: undefined }),
  initial: 'connecting',
  states: {
    connecting: {
      entry: { type: 'connect', params: ({ context: { server } }) => ({ server }) },
      on: {
        'connection.opened': 'connected',
        'connection.failed': { target: 'failed', actions: 'rememberFailure' },
        'connection.close': 'closing',
      },
    },
    connected: {
      entry: [
        assign({ failure: undefined }),
        { type: 'armSettled', params: ({ context: { server } }) => ({ server }) },
      ],
      exit: { type: 'disarm', params: ({ context: { server } }) => ({ server }) },
      on: {
        'connection.settled': { actions: assign({ tries: 0 }) },
        'connection.lost': [
          { guard: 'mayRetry', target: 'reconnecting', actions: ['rememberFailure', 'countTry'] },
          { target: 'failed', actions: 'rememberFailure' },
        ],
        'connection.close': 'closing',
      },
    },
    reconnecting: {
      initial: 'waiting',
      on: { 'connection.close': 'closing' },
      states: {
        waiting: {
          entry: {
            type: 'armRetry',
            params: ({ context: { server, tries } }) => ({
              server,
              delayMs: FIRST_DELAY_MS * 2 ** (tries - 1),
            }),
          },
          exit: { type: 'disarm', params: ({ context: { server } }) => ({ server }) },
          on: { 'connection.retry': 'trying' },
        },
        trying: {
          entry: { type: 'connect', params: ({ context: { server } }) => ({ server }) },
          on: {
            'connection.opened': '#mcpConnection.connected',
            'connection.failed': [
              { guard: 'mayRetry', target: 'waiting', actions: ['rememberFailure', 'countTry'] },
              { target: '#mcpConnection.failed', actions: 'rememberFailure' },
            ],
          },
        },
      },
    },
    failed: {
      on: {
        'connection.open': { target: 'connecting', actions: assign({ tries: 0 }) },
        'connection.close': 'closing',
      },
    },
    /** The server is asked to end and waited for. */
    closing: {
      entry: { type: 'disconnect', params: ({ context: { server } }) => ({ server }) },
      on: { 'connection.closed': 'closed' },
    },
    closed: { type: 'final' },
  },
});
