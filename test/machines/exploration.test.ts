import { describe, expect, it } from 'vitest';
import type { PermissionRequest } from '../../src/core/events.js';
import {
  orchestratorMachine,
  type OrchestratorEvent,
} from '../../src/machines/task/orchestrator.js';
import { agentMachine } from '../../src/machines/agent/agent.js';
import type { AgentEvent } from '../../src/machines/agent/agent-types.js';
import { localToolMachine, type LocalToolEvent } from '../../src/machines/agent/local-tool.js';
import {
  permissionDeskMachine,
  type PermissionDeskEvent,
} from '../../src/machines/approval/permission-desk.js';
import {
  permissionRequestMachine,
  type PermissionRequestEvent,
} from '../../src/machines/approval/permission-request.js';
import { supervisorMachine, type SupervisorEvent } from '../../src/machines/task/supervisor.js';
import { findChild } from '../../src/machines/task/task-child.js';
import type { TaskEvent } from '../../src/machines/task/task-setup.js';
import { taskMachine } from '../../src/machines/task/task.js';
import type { ToolCallEvent } from '../../src/machines/agent/tool-call.js';
import { toolCallMachine } from '../../src/machines/agent/tool-call-statechart.js';
import { explore } from '../support/explore.js';
import {
  agentId,
  allowed,
  askFrom,
  childId,
  requestId,
  shellId,
  taskId,
  taskOf,
} from './samples.js';

const silent = { actions: { tellParent: () => {} } };
const isDeep = process.env['TROUPE_DEEP'] !== undefined;
const nothingWrong = { stuck: [], restless: [], crashed: [], differing: [], wide: [] };
const answered = { by: 'ann', answer: { behavior: 'allow' }, at: 2 } as const;
const cancel = { type: 'permission.cancel', requestId } as const;

/** The end of a child, as its parent hears of it. */
const doneOf = <Output>(actorId: string, output: Output) =>
  ({ type: `xstate.done.actor.${actorId}`, actorId, output }) as const;

describe('every snapshot', { timeout: isDeep ? 120_000 : 20_000 }, () => {
  it('of a task leads to an end that accepts nothing', () => {
    const outcome = { status: 'completed', result: 'ok' };
    const always: readonly TaskEvent[] = [
      { type: 'task.start' },
      { type: 'task.kill', reason: 'killed' },
      { type: 'task.force' },
      { type: 'task.swept' },
      { type: 'task.background' },
      allowed(),
      cancel,
    ];
    const findings = explore('task', taskMachine.provide(silent), {
      input: taskOf(taskId, { isBackgrounded: false }),
      events: ({ children, context }) => [
        ...always,
        ...[taskOf(childId), taskOf(shellId, { kind: 'local_bash', isBackgrounded: false })]
          .filter(({ id }) => !(id in children))
          .map((task) => ({ type: 'task.spawn', task }) as const),
        ...Object.keys(children)
          .filter((id) => id !== 'work' || context.outcome?.status !== 'completed')
          .flatMap((id) => [
            doneOf(id, outcome),
            { type: `xstate.error.actor.${id}`, actorId: id, error: 'boom' } as const,
            askFrom(id),
          ]),
        ...(shellId in children ? [{ type: 'task.backgrounded', id: shellId } as const] : []),
      ],
    });
    expect(findings).toEqual(nothingWrong);
  });

  it('of a task with too many children of its own leads to an end that accepts nothing', () => {
    const outcome = { status: 'completed', result: 'ok' } as const;
    const crowded = taskMachine.provide({ ...silent, guards: { isCrowded: () => true } });
    const ended = {
      type: 'child.ended',
      kind: 'local_agent',
      isBackgrounded: true,
      outcome,
    } as const;
    const findings = explore('crowded task', crowded, {
      input: taskOf(taskId),
      events: ({ context: { supervisors, outcome: own } }): readonly TaskEvent[] => [
        { type: 'task.start' },
        { type: 'task.kill', reason: 'killed' },
        { type: 'task.force' },
        { type: 'task.swept' },
        allowed(),
        cancel,
        ...((supervisors['sup-1']?.live ?? 0) < 2
          ? [{ type: 'task.spawn', task: taskOf(childId) } as const]
          : []),
        ...(own?.status === 'completed' ? [] : [doneOf('work', outcome)]),
        ...Object.keys(supervisors).flatMap((from) => [
          askFrom(from),
          { ...ended, id: childId, from },
        ]),
      ],
    });
    expect(findings).toEqual(nothingWrong);
  });

  it.each([false, true])(
    'of a task with a teammate leads to an end that accepts nothing (crowded: %s)',
    (isCrowded) => {
      const outcome = { status: 'completed', result: 'ok' } as const;
      const machine = taskMachine.provide({ ...silent, guards: { isCrowded: () => isCrowded } });
      const teammate = taskOf(childId, { kind: 'in_process_teammate' });
      const findings = explore(`task with a teammate, crowded: ${isCrowded}`, machine, {
        input: taskOf(taskId, { kind: 'in_process_teammate' }),
        events: ({ context, children }): readonly TaskEvent[] => {
          const { supervisors, outcome: own } = context;
          const from = 'sup-1' in supervisors ? 'sup-1' : undefined;
          const isThere = childId in children || from !== undefined;
          const isIdle =
            from === undefined
              ? findChild(context.children, childId)?.isIdle === true
              : supervisors[from]?.holding === 0;
          return [
            { type: 'task.start' },
            { type: 'task.kill', reason: 'killed' },
            { type: 'task.force' },
            { type: 'task.swept' },
            ...(isThere ? [] : [{ type: 'task.spawn', task: teammate } as const]),
            ...('work' in children && own?.status !== 'completed'
              ? [
                  doneOf('work', outcome),
                  { type: 'work.idle' } as const,
                  { type: 'work.idle', turnOutcome: outcome } as const,
                  { type: 'work.woke' } as const,
                ]
              : []),
            ...(isThere
              ? [
                  {
                    type: 'child.idle',
                    id: childId,
                    ...(from === undefined ? {} : { from }),
                    isIdle: !isIdle,
                    ...(isIdle ? {} : { turnOutcome: outcome }),
                  } as const,
                  from === undefined
                    ? doneOf(childId, outcome)
                    : ({
                        type: 'child.ended',
                        id: childId,
                        kind: 'in_process_teammate',
                        isBackgrounded: true,
                        isIdle,
                        outcome,
                        from,
                      } as const),
                ]
              : []),
          ];
        },
      });
      expect(findings).toEqual(nothingWrong);
    },
  );

  /** The supervisor lives as long as its task has children there: no end, but it can be emptied. */
  it('of a supervisor can be emptied', () => {
    const outcome = { status: 'completed', result: 'ok' } as const;
    const findings = explore('supervisor', supervisorMachine.provide(silent), {
      input: { id: 'sup-1' },
      events: ({ children }): readonly SupervisorEvent[] => [
        { type: 'task.kill', reason: 'owner ended' },
        { type: 'task.force' },
        allowed(),
        cancel,
        ...[
          taskOf(childId),
          taskOf(shellId, { kind: 'local_bash' as const, isBackgrounded: false }),
        ]
          .filter(({ id }) => !(id in children))
          .map((task) => ({ type: 'task.spawn', task }) as const),
        ...(shellId in children ? [{ type: 'task.backgrounded', id: shellId } as const] : []),
        ...Object.keys(children).flatMap((id) => [
          doneOf(id, outcome),
          { type: `xstate.error.actor.${id}`, actorId: id, error: 'boom' } as const,
          { type: 'child.idle', id: childId, isIdle: true } as const,
          { type: 'child.idle', id: childId, isIdle: false } as const,
          askFrom(id),
        ]),
      ],
      isEnd: ({ context }) => context.children.length === 0,
    });
    expect({ ...findings, restless: [] }).toEqual(nothingWrong);
  });

  it('of a tool call leads to an end that accepts nothing', () => {
    const findings = explore('toolCall', toolCallMachine, {
      input: { id: 'a' },
      events: (): readonly ToolCallEvent[] => [
        { type: 'call.start' },
        { type: 'call.cancel', reason: 'sibling_error' },
        { type: 'call.cancel', reason: 'user_interrupted' },
        { type: 'call.validated' },
        { type: 'call.allowed' },
        { type: 'call.refused', isError: true, endsTurn: 'refused' },
        { type: 'call.refused', isError: false, endsTurn: undefined },
        { type: 'call.ask', request: askFrom('a') },
        allowed(),
        { type: 'call.executed', isError: true },
        { type: 'call.executed', isError: false },
        { type: 'call.executed', isError: false, endsTurn: 'answered' },
        { type: 'call.recorded' },
      ],
    });
    expect(findings).toEqual(nothingWrong);
  });

  it('of a tool that is called without an agent leads to an end that accepts nothing', () => {
    const findings = explore('localTool', localToolMachine.provide(silent), {
      input: { agentId, taskId, tool: 'Bash', input: {} },
      events: (): readonly LocalToolEvent[] => [
        { type: 'tool.use', call: { id: 'a' } },
        { type: 'children.changed', holding: 1 },
        { type: 'children.changed', holding: 0 },
        askFrom('a'),
        allowed(),
        cancel,
        { type: 'call.settled', id: 'a', isError: true, endsTurn: 'refused', cancelled: undefined },
        { type: 'tool.ended', outcome: { status: 'completed', result: 'ok' } },
        { type: 'work.stop', reason: 'killed' },
        { type: 'work.force' },
        { type: 'effect.failed', failure: { code: 'X', message: 'x' } },
      ],
    });
    expect(findings).toEqual(nothingWrong);
  });

  it.each([
    ['agent', false],
    ['agent that stays open', true],
  ] as const)('of an %s leads to an end that accepts nothing', (name, staysOpen) => {
    const ids = ['a', 'b'];
    const findings = explore(name, agentMachine.provide(silent), {
      input: { agentId, taskId, inbox: 1, staysOpen, maxTurns: 2 },
      events: ({ context }) => {
        const { inbox, turn, batch, effect, holding } = context;
        const { calls } = batch;
        const live = calls.filter(({ phase }) => phase === 'queued' || phase === 'started');
        const next = ids[calls.length];
        const events: AgentEvent[] = [
          { type: 'agent.interrupt' },
          { type: 'work.stop', reason: 'killed' },
          { type: 'work.force' },
          { type: 'effect.failed', failure: { code: 'X', message: 'x' } },
          allowed(),
          cancel,
        ];
        // events from outside come between the calls, unless there is time for all orders
        if (isDeep || live.length === 0)
          events.push(
            { type: 'inbox.closed' },
            { type: 'children.changed', holding: holding === 0 ? 1 : 0 },
          );
        if (
          inbox === 0 &&
          turn < 2 &&
          (isDeep || (effect?.kind !== 'sampling' && calls.length < 2))
        )
          events.push({ type: 'inbox.arrived', isPrompt: true });
        if (effect?.kind === 'preparing')
          events.push(
            { type: 'prepared', drained: inbox, hasContent: true },
            { type: 'prepared', drained: inbox, hasContent: false },
          );
        if (effect?.kind === 'sampling')
          events.push(
            { type: 'sample.done', text: 'x' },
            { type: 'sample.failed', failure: { code: 'X', message: 'x' } },
          );
        if (effect?.kind === 'sampling' && (isDeep || (!staysOpen && calls.length === 0)))
          events.push({ type: 'sample.done', text: 'x', continues: 'cut' });
        if (effect?.kind === 'sampling' && isDeep)
          events.push({ type: 'sample.done', text: 'x', continues: 'paused' });
        if (effect?.kind === 'sampling' && next !== undefined && turn === 1)
          for (const isSafe of isDeep ? [true, false] : [next === 'a'])
            events.push({
              type: 'tool.use',
              call: {
                id: next,
                isSafe,
                isShell: !isSafe,
                onInterrupt: isSafe ? 'cancel' : 'block',
              },
            });
        const asking = Object.values(context.openRequests);
        for (const { id } of live.filter((call) => !asking.includes(call.id)))
          // it waits for an answer
          for (const [isError, endsTurn] of [
            [false, undefined],
            [true, undefined],
            [true, 'refused'],
          ] as const)
            events.push({ type: 'call.settled', id, isError, endsTurn, cancelled: undefined });
        for (const { id } of live) if (isDeep || id === 'a') events.push(askFrom(id));
        if (calls.length === 1 && live.length === 1 && (isDeep || !staysOpen))
          events.push({ type: 'turn.deferred', outcome: { status: 'completed', result: '' } });
        return events;
      },
    });
    expect(findings).toEqual(nothingWrong);
  });

  it('of an agent that runs its stop check before it goes idle leads to an end that accepts nothing', () => {
    const findings = explore('agent that concludes', agentMachine.provide(silent), {
      input: { agentId, taskId, inbox: 1, staysOpen: true, maxTurns: 3, concludes: true },
      events: ({ context }) => {
        const { inbox, turn, effect, holding } = context;
        const failure = { code: 'X', message: 'x' };
        const events: AgentEvent[] = [
          { type: 'agent.interrupt' },
          { type: 'work.stop', reason: 'killed' },
          { type: 'work.force' },
          { type: 'effect.failed', failure },
          { type: 'inbox.closed' },
          { type: 'agent.quit' },
          { type: 'children.changed', holding: holding === 0 ? 1 : 0 },
          { type: 'concluded', turn, turnOutcome: undefined },
          { type: 'concluded', turn, turnOutcome: { status: 'completed', result: { a: 1 } } },
          { type: 'concluded', turn, turnOutcome: { status: 'failed', failure } },
          { type: 'concluded', turn: turn - 1, turnOutcome: { status: 'failed', failure } },
        ];
        if (inbox === 0 && turn < 3) events.push({ type: 'inbox.arrived', isPrompt: false });
        if (effect?.kind === 'preparing')
          events.push({ type: 'prepared', drained: inbox, hasContent: inbox > 0 });
        if (effect?.kind === 'sampling')
          events.push(
            { type: 'sample.done', text: 'x', continues: undefined },
            { type: 'sample.failed', failure },
          );
        return events;
      },
    });
    expect(findings).toEqual(nothingWrong);
  });

  it.each([
    ['agent that compacts', false],
    ['agent that compacts and stays open', true],
  ] as const)('of an %s leads to an end that accepts nothing', (name, staysOpen) => {
    const findings = explore(name, agentMachine.provide(silent), {
      input: { agentId, taskId, inbox: 1, staysOpen, tellsIdle: staysOpen, maxTurns: 2 },
      events: ({ context }) => {
        const { inbox, turn, effect, holding } = context;
        const events: AgentEvent[] = [
          { type: 'agent.interrupt' },
          { type: 'work.stop', reason: 'killed' },
          { type: 'work.force' },
          { type: 'inbox.closed' },
          { type: 'children.changed', holding: holding === 0 ? 1 : 0 },
        ];
        if (inbox === 0 && turn < 2) events.push({ type: 'inbox.arrived', isPrompt: true });
        if (turn < 2) events.push({ type: 'agent.compact' });
        if (effect?.kind === 'preparing')
          events.push(
            { type: 'prepared', drained: inbox, hasContent: turn < 4 },
            { type: 'prepared', drained: inbox, hasContent: false },
            { type: 'prepared', drained: inbox, hasContent: turn < 4, isShort: true },
          );
        if (effect?.kind === 'compacting')
          events.push(
            { type: 'compaction.done', text: 'x' },
            { type: 'compaction.failed', failure: { code: 'X', message: 'x' } },
          );
        if (effect?.kind === 'sampling')
          events.push(
            { type: 'sample.done', text: 'x' },
            { type: 'sample.failed', failure: { code: 'X', message: 'x' } },
            { type: 'sample.failed', failure: { code: 'CONTEXT_WINDOW_EXCEEDED', message: 'x' } },
          );
        return events;
      },
    });
    expect(findings).toEqual(nothingWrong);
  });

  it('of a permission request leads to an end that accepts nothing', () => {
    const findings = explore('permissionRequest', permissionRequestMachine, {
      input: { requestId },
      events: ({ context }): readonly PermissionRequestEvent[] => [
        { type: 'ask.evaluated', answered: undefined },
        { type: 'ask.evaluated', answered: { ...answered, by: 'policy' } },
        ...(context.receipts < 3
          ? [{ type: 'ask.answer', answerId: 'one', answered } as const]
          : []),
        { type: 'ask.persisted' },
        { type: 'ask.cancel' },
      ],
    });
    expect(findings).toEqual(nothingWrong);
  });

  it('of an orchestrator leads to an end that accepts nothing', () => {
    const findings = explore('orchestrator', orchestratorMachine, {
      events: ({ context }): readonly OrchestratorEvent[] => [
        { type: 'orchestrator.close', reason: 'closed' },
        allowed(),
        cancel,
        ...((context.supervisors['sup-1']?.live ?? 0) < 2
          ? [{ type: 'session.open', task: taskOf(taskId, { kind: 'session' }) } as const]
          : []),
        { type: 'mcp.open', server: 'files' },
        ...Object.keys(context.connections).map((id) => doneOf(id, undefined)),
        ...Object.keys(context.supervisors).flatMap((id) => [
          askFrom(id),
          {
            type: 'child.ended',
            from: id,
            id: taskId,
            kind: 'session',
            isBackgrounded: false,
            outcome: { status: 'completed', result: 'ok' },
          } as const,
        ]),
      ],
    });
    expect(findings).toEqual(nothingWrong);
  });

  /** The desk lives as long as its orchestrator: it has no end, but no ask stays in it either. */
  it('of a permission desk can be emptied', () => {
    const emptied = permissionDeskMachine.provide(silent);
    const request: PermissionRequest = askFrom('s00000000');
    const findings = explore('permissionDesk', emptied, {
      events: ({ context, children }) => {
        const events: PermissionDeskEvent[] = [cancel];
        if (context.ended.length < 2 && !(requestId in context.openRequests)) events.push(request);
        if ((context.answers[requestId]?.length ?? 0) < 2)
          events.push({ type: 'desk.answer', requestId, answerId: 'one', answered });
        if (requestId in children)
          events.push(
            doneOf(requestId, { status: 'decided', receipts: 1, ...answered }),
            doneOf(requestId, { status: 'cancelled', receipts: 0 }),
          );
        return events;
      },
      isEnd: ({ context }) => Object.keys(context.openRequests).length === 0,
    });
    expect({ ...findings, restless: [] }).toEqual(nothingWrong);
  });
});
