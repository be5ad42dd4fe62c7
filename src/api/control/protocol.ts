import { z } from 'zod';
import { PermissionAnswer } from '../../core/decision-types.js';
import { TaskId } from '../../core/ids.js';
import { Usage } from '../../core/tasks/usage.js';
import { ProcessOwner } from '../../journal/storage/process-owner.js';

/** A process and its socket: `<home>/run/<pid>-….json`. */
export const Listener = z.lazy(() =>
  z.object({
    version: z.literal(1),
    owner: ProcessOwner,
    /** Path of a Unix socket that only its user can open. */
    socket: z.string(),
    cwd: z.string(),
    /** Epoch ms. */
    startedAt: z.number(),
  }),
);
export type Listener = Readonly<z.infer<typeof Listener>>;

/** The field of every request; its answer has the same ID. */
export const RequestId = z.lazy(() => z.object({ id: z.int() }));

/** One line of JSON from a client. */
export const ControlRequest = z.lazy(() =>
  z.discriminatedUnion('method', [
    z.object({ id: z.int(), method: z.literal('tree') }),
    z.object({
      id: z.int(),
      method: z.literal('output'),
      task: TaskId,
      from: z.int().nonnegative(),
    }),
    z.object({ id: z.int(), method: z.literal('kill'), task: TaskId, reason: z.string() }),
    z.object({ id: z.int(), method: z.literal('send'), task: TaskId, text: z.string().min(1) }),
    /** The text of a reply that is arriving. */
    z.object({ id: z.int(), method: z.literal('reply'), task: TaskId }),
    z.object({ id: z.int(), method: z.literal('interrupt'), task: TaskId }),
    z.object({ id: z.int(), method: z.literal('background'), task: TaskId }),
    /** The answer has only the ID of a request whose ID is `known`. */
    z.object({
      id: z.int(),
      method: z.literal('requests'),
      known: z.array(z.string()).default([]),
    }),
    z.object({
      id: z.int(),
      method: z.literal('decide'),
      requestId: z.string(),
      answer: PermissionAnswer as z.ZodType<PermissionAnswer>,
      /** Name of the approver for the audit. */
      by: z.string(),
    }),
  ]),
);
export type ControlRequest = Readonly<z.infer<typeof ControlRequest>>;

const count = z.number().nonnegative();
const Amounts = z.looseObject({
  usd: z.number().optional(),
  tokens: z.number().optional(),
  turns: z.number().optional(),
});
/** A live actor in an answer: the shown fields of `InspectedActor`. */
export const ToldActor = z.looseObject({
  id: z.string(),
  kind: z.string(),
  label: z.string(),
  state: z.string(),
  since: z.number(),
  waitingFor: z.array(z.string()),
  progress: z.string().optional(),
  pid: z.int().optional(),
  sessionId: z.string().optional(),
  usage: z.looseObject({ usage: Usage, costUsd: count.optional() }).optional(),
  budget: z.looseObject({ cap: Amounts, used: Amounts, reserved: Amounts }).optional(),
  get children() {
    return z.array(ToldActor);
  },
});
export type ToldActor = z.infer<typeof ToldActor>;

/** One line of JSON from an orchestrator. */
export const ControlAnswer = z.lazy(() =>
  z.union([
    z.object({ id: z.int(), result: z.unknown() }),
    /** `id` is null if the request had none. */
    z.object({
      id: z.int().nullable(),
      error: z.object({ code: z.string(), message: z.string() }),
    }),
  ]),
);
export type ControlAnswer = Readonly<z.infer<typeof ControlAnswer>>;
