/**
 * Public types are written by hand, since declarations have no comments of a schema. Here the compiler checks that each
 * is exactly the type of its schema, whatever is readonly.
 */
import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { QueryOptions } from '../../src/api/query/query-options.js';
import type { QueryOptionsSchema } from '../../src/api/query/query-options-schema.js';
import type { UserMessageInput } from '../../src/actors/contract/user-message.js';
import type { AgentDefinition } from '../../src/core/agents/agent-definition.js';
import type { DeepImmutable } from '../../src/core/json/deep-immutable.js';
import type { Envelope, Hop, PermissionRequest, TaskNotification } from '../../src/core/events.js';
import type { Failure } from '../../src/core/failure.js';
import type { PermissionAnswer } from '../../src/core/decision-types.js';
import type {
  PermissionRule,
  PermissionRuleSource,
  PermissionUpdate,
  ToolPermissionRulesBySource,
} from '../../src/core/permission-types.js';
import type { SharedTask } from '../../src/core/tasks/shared-task.js';
import type { TaskBudget } from '../../src/core/tasks/task-budget.js';
import type { TodoItem } from '../../src/core/tasks/todo.js';
import type { CronEntry } from '../../src/core/time/cron-entry.js';
import type { WorkflowDefinition, WorkflowTask } from '../../src/workflow/workflow-definition.js';
import type { AgentSpec } from '../../src/extensions/agents/agent-spec.js';
import type { HookOutput } from '../../src/extensions/hooks/hook-output.js';
import type { McpStdioServerConfig } from '../../src/extensions/mcp/servers/server-config.js';
import type { Script, ScriptedReply } from '../../src/model/scripted/script.js';
import type { LspServerConfig } from '../../src/settings/schema/lsp-settings.js';
import type { CommandHook } from '../../src/settings/schema/hooks-settings.js';
import type {
  PermissionSettings,
  SandboxSettings,
  Settings,
} from '../../src/settings/schema/settings-schema.js';
import type { forPolicy } from '../../src/settings/schema/policy-settings.js';
import type { TeamDefinition, TeamSource } from '../../src/extensions/teams/team-definition.js';
import type { TypedMessage } from '../../src/tools/capabilities/typed-message.js';
import type { ModelPrice } from '../../src/usage/prices.js';

type Output<Schema extends z.ZodType> = DeepImmutable<z.output<Schema>>;
type KnownKey<T> = keyof {
  [Key in keyof T as string extends Key ? never : number extends Key ? never : Key]: T[Key];
};
type Input<Schema extends z.ZodType> = DeepImmutable<z.input<Schema>>;

describe('the public types', () => {
  it('are what their schemas return', () => {
    expectTypeOf<DeepImmutable<CommandHook>>().toEqualTypeOf<Output<typeof CommandHook>>();
    expectTypeOf<DeepImmutable<CronEntry>>().toEqualTypeOf<Output<typeof CronEntry>>();
    expectTypeOf<DeepImmutable<HookOutput>>().toEqualTypeOf<Output<typeof HookOutput>>();
    expectTypeOf<DeepImmutable<Script>>().toEqualTypeOf<Output<typeof Script>>();
    expectTypeOf<DeepImmutable<ScriptedReply>>().toEqualTypeOf<Output<typeof ScriptedReply>>();
    expectTypeOf<DeepImmutable<SharedTask>>().toEqualTypeOf<Output<typeof SharedTask>>();
    expectTypeOf<DeepImmutable<TodoItem>>().toEqualTypeOf<Output<typeof TodoItem>>();
    expectTypeOf<DeepImmutable<TypedMessage>>().toEqualTypeOf<Output<typeof TypedMessage>>();
    expectTypeOf<DeepImmutable<UserMessageInput>>().toEqualTypeOf<
      Output<typeof UserMessageInput>
    >();
    expectTypeOf<DeepImmutable<AgentDefinition>>().toEqualTypeOf<Output<typeof AgentDefinition>>();
    expectTypeOf<DeepImmutable<Envelope>>().toEqualTypeOf<Output<typeof Envelope>>();
    expectTypeOf<DeepImmutable<Failure>>().toEqualTypeOf<Output<typeof Failure>>();
    expectTypeOf<DeepImmutable<Hop>>().toEqualTypeOf<Output<typeof Hop>>();
    expectTypeOf<DeepImmutable<LspServerConfig>>().toEqualTypeOf<Output<typeof LspServerConfig>>();
    expectTypeOf<DeepImmutable<McpStdioServerConfig>>().toEqualTypeOf<
      Output<typeof McpStdioServerConfig>
    >();
    expectTypeOf<DeepImmutable<ModelPrice>>().toEqualTypeOf<Output<typeof ModelPrice>>();
    expectTypeOf<DeepImmutable<PermissionAnswer>>().toEqualTypeOf<
      Output<typeof PermissionAnswer>
    >();
    expectTypeOf<DeepImmutable<PermissionRequest>>().toEqualTypeOf<
      Output<typeof PermissionRequest>
    >();
    expectTypeOf<DeepImmutable<PermissionRule>>().toEqualTypeOf<Output<typeof PermissionRule>>();
    expectTypeOf<DeepImmutable<PermissionUpdate>>().toEqualTypeOf<
      Output<typeof PermissionUpdate>
    >();
    expectTypeOf<DeepImmutable<SandboxSettings>>().toEqualTypeOf<Output<typeof SandboxSettings>>();
    expectTypeOf<DeepImmutable<TaskBudget>>().toEqualTypeOf<Output<typeof TaskBudget>>();
    expectTypeOf<DeepImmutable<TaskNotification>>().toEqualTypeOf<
      Output<typeof TaskNotification>
    >();
    expectTypeOf<DeepImmutable<TeamDefinition>>().toEqualTypeOf<Output<typeof TeamDefinition>>();
    expectTypeOf<DeepImmutable<WorkflowDefinition>>().toEqualTypeOf<
      Output<typeof WorkflowDefinition>
    >();
    expectTypeOf<DeepImmutable<WorkflowTask>>().toEqualTypeOf<Output<typeof WorkflowTask>>();
  });

  it('have the keys of settings, and their types', () => {
    expectTypeOf<Output<typeof Settings>>().toExtend<DeepImmutable<Settings>>();
    expectTypeOf<KnownKey<Settings>>().toEqualTypeOf<
      keyof ReturnType<typeof Settings.unwrap>['shape'] | keyof ReturnType<typeof forPolicy>
    >();
    expectTypeOf<KnownKey<PermissionSettings>>().toEqualTypeOf<
      keyof ReturnType<typeof PermissionSettings.unwrap>['shape']
    >();
  });

  it('are what their schemas accept, if a schema changes what it gets', () => {
    expectTypeOf<DeepImmutable<AgentSpec>>().toEqualTypeOf<Input<typeof AgentSpec>>();
    expectTypeOf<DeepImmutable<QueryOptions>>().toEqualTypeOf<Input<typeof QueryOptionsSchema>>();
    expectTypeOf<DeepImmutable<TeamSource>>().toEqualTypeOf<Input<typeof TeamDefinition>>();
  });

  it('have a list of rules for each source', () => {
    expectTypeOf<keyof ToolPermissionRulesBySource>().toEqualTypeOf<PermissionRuleSource>();
  });
});
