import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  AccountInfo,
  EffortLevel,
  HookCallbackMatcher,
  HookEvent,
  HookJSONOutput,
  McpStdioServerConfig,
  NotificationHookInput,
  Options,
  PermissionRequestHookInput,
  PostToolUseHookInput,
  PreToolUseHookInput,
  SDKAssistantMessage,
  SDKBackgroundTasksChangedMessage,
  SDKCommandsChangedMessage,
  SDKCompactBoundaryMessage,
  SDKHookStartedMessage,
  SDKMessage,
  SDKPartialAssistantMessage,
  SDKPermissionDenial,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKSystemMessage,
  SDKTaskProgressMessage,
  SDKUserMessageReplay,
  SettingSource,
  SubagentStopHookInput,
} from '../../../src/index.js';
import { toSdkMessage } from '../../../src/api/query/sdk-messages.js';
import { createQueries, collect, resultOf } from './support.js';

declare const message: SDKMessage;
declare const result: SDKResultMessage;

/** The body is checked by the compiler and never runs. */
const compiled = (_body: () => void): void => undefined;

describe('the messages of query()', () => {
  it('narrow by type and subtype', () => {
    compiled(() => {
      if (message.type === 'result' && message.subtype === 'success') {
        expectTypeOf(message).toEqualTypeOf<SDKResultSuccess>();
        expectTypeOf(message.result).toEqualTypeOf<string>();
        expectTypeOf(message.is_error).toEqualTypeOf<false>();
      }
      if (message.type === 'result') expectTypeOf(message).toEqualTypeOf<SDKResultMessage>();
      if (message.type === 'assistant') expectTypeOf(message).toEqualTypeOf<SDKAssistantMessage>();
      if (message.type === 'user') {
        expectTypeOf(message).toEqualTypeOf<SDKUserMessageReplay>();
        expectTypeOf(message.message.role).toEqualTypeOf<'user'>();
      }
      if (message.type === 'stream_event') {
        expectTypeOf(message).toEqualTypeOf<SDKPartialAssistantMessage>();
        expectTypeOf(message.event).toEqualTypeOf<RawMessageStreamEvent>();
        if (message.event.type === 'content_block_delta')
          if (message.event.delta.type === 'text_delta')
            expectTypeOf(message.event.delta.text).toEqualTypeOf<string>();
      }
      if (message.type === 'system' && message.subtype === 'init')
        expectTypeOf(message).toEqualTypeOf<SDKSystemMessage>();
      if (message.type === 'system' && message.subtype === 'commands_changed')
        expectTypeOf(message).toEqualTypeOf<SDKCommandsChangedMessage>();
      if (message.type === 'system' && message.subtype === 'compact_boundary')
        expectTypeOf(message).toEqualTypeOf<SDKCompactBoundaryMessage>();
      if (message.type === 'system' && message.subtype === 'hook_started')
        expectTypeOf(message).toEqualTypeOf<SDKHookStartedMessage>();
      if (message.type === 'system' && message.subtype === 'task_progress')
        expectTypeOf(message).toEqualTypeOf<SDKTaskProgressMessage>();
      if (message.type === 'system' && message.subtype === 'background_tasks_changed')
        expectTypeOf(message).toEqualTypeOf<SDKBackgroundTasksChangedMessage>();
    });
  });

  it('tell success and error of a result apart in each way that programs use', () => {
    compiled(() => {
      if ('result' in result) expectTypeOf(result).toEqualTypeOf<SDKResultSuccess>();
      if (result.is_error) expectTypeOf(result).toEqualTypeOf<SDKResultError>();
      if (result.subtype === 'success') return;
      expectTypeOf(result.errors).toEqualTypeOf<readonly string[]>();
      expectTypeOf(result.subtype).toEqualTypeOf<
        | 'error_during_execution'
        | 'error_max_turns'
        | 'error_max_budget_usd'
        | 'error_max_structured_output_retries'
      >();
    });
  });

  it('have costs that are numbers, and denials with an input', () => {
    expectTypeOf<SDKResultMessage['total_cost_usd']>().toEqualTypeOf<number>();
    expectTypeOf<SDKResultMessage['modelUsage'][string]['costUSD']>().toEqualTypeOf<number>();
    expectTypeOf<
      SDKResultMessage['permission_denials'][number]
    >().toEqualTypeOf<SDKPermissionDenial>();
    expectTypeOf<SDKPermissionDenial['tool_input']>().toEqualTypeOf<
      Readonly<Record<string, unknown>>
    >();
  });

  it('have the cost NaN if the price of a model is not known', async () => {
    const { ask } = await createQueries({ replies: [{ text: 'Hello.' }] });
    const last = await resultOf(ask('Hi.', { model: 'mystery' }));
    expect([last.total_cost_usd, last.modelUsage['mystery']?.costUSD]).toEqual([NaN, NaN]);
    const { ask: again } = await createQueries({ replies: [{ text: 'Hello.' }] });
    expect((await resultOf(again('Hi.', { model: 'sonnet' }))).total_cost_usd).toBeGreaterThan(0);
  });

  it('are those of the session apart from the costs', async () => {
    const { ask } = await createQueries({ replies: [{ text: 'Hello.' }] });
    const all = await collect(ask('Hi.', { model: 'sonnet' }));
    expect(all.map(toSdkMessage)).toEqual(all);
  });
});

describe('the names that programs for the Claude Agent SDK import', () => {
  it('are types of the options', () => {
    expectTypeOf<HookEvent>().extract<'PreToolUse'>().toEqualTypeOf<'PreToolUse'>();
    expectTypeOf<Partial<Record<HookEvent, HookCallbackMatcher[]>>>().toExtend<
      NonNullable<Options['hooks']>
    >();
    expectTypeOf<SettingSource[]>().toExtend<NonNullable<Options['settingSources']>>();
    expectTypeOf<{ files: McpStdioServerConfig }>().toExtend<NonNullable<Options['mcpServers']>>();
    expectTypeOf<EffortLevel>().toEqualTypeOf<NonNullable<Options['effort']>>();
    expectTypeOf<AccountInfo['apiKeySource']>().toEqualTypeOf<string>();
    expectTypeOf<{ decision: 'block'; reason: string }>().toExtend<HookJSONOutput>();
  });

  it('name the inputs of hooks by their event', () => {
    type Inputs =
      | PreToolUseHookInput
      | PermissionRequestHookInput
      | PostToolUseHookInput
      | NotificationHookInput
      | SubagentStopHookInput;
    type Told<Event extends HookEvent> = Extract<Inputs, { hook_event_name: Event }>;
    expectTypeOf<Told<'PreToolUse'>>().toEqualTypeOf<PreToolUseHookInput>();
    expectTypeOf<Told<'PostToolUse'>['tool_response']>().toEqualTypeOf<unknown>();
    expectTypeOf<Told<'Notification'>['message']>().toEqualTypeOf<string>();
    expectTypeOf<Told<'SubagentStop'>['stop_hook_active']>().toEqualTypeOf<boolean>();
  });
});
