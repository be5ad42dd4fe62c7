import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { buildTool } from '../../src/tools/build-tool.js';
import type { BuiltTool } from '../../src/tools/complete-tool.js';
import type { Tool, ToolResult, ToolUseContext } from '../../src/tools/tool.js';

const Add = buildTool({
  name: 'Add',
  aliases: ['Plus'],
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  isReadOnly: ({ a }) => {
    expectTypeOf(a).toEqualTypeOf<number>();
    return true;
  },
  call: async ({ a, b }, context) => {
    expectTypeOf(context).toEqualTypeOf<ToolUseContext>();
    return { data: a + b };
  },
});

describe('a tool that buildTool has completed', () => {
  it('keeps the types of its definition', () => {
    expectTypeOf(Add.name).toEqualTypeOf<'Add'>();
    expectTypeOf(Add.aliases).toExtend<readonly ['Plus']>();
    expectTypeOf<z.infer<typeof Add.inputSchema>>().toEqualTypeOf<{ a: number; b: number }>();
    expectTypeOf<Awaited<ReturnType<typeof Add.call>>>().toEqualTypeOf<ToolResult<number>>();
    expectTypeOf(Add).toExtend<BuiltTool<{ readonly name: 'Add' }>>();
    expect(Add.name).toBe('Add');
  });

  it('keeps the types of optional members that it has, and of its progress', () => {
    type Step = { readonly type: 'step'; readonly at: number };
    const Wait = buildTool<z.ZodObject<{ ms: z.ZodNumber }>, { readonly waited: number }, Step>({
      name: 'Wait',
      inputSchema: z.object({ ms: z.number() }),
      outputSchema: z.object({ waited: z.number() }),
      interruptBehavior: () => 'cancel',
      present: ({ waited }, { ms }) => ({ kind: 'summary', text: `${waited} of ${ms}` }),
      call: async ({ ms }, _context, _canUseTool, _parent, onProgress) => {
        expectTypeOf(onProgress).toEqualTypeOf<((progress: Step) => void) | undefined>();
        return { data: { waited: ms } };
      },
    });
    expectTypeOf(Wait.call).parameter(4).toEqualTypeOf<((progress: Step) => void) | undefined>();
    const Ask = buildTool({
      name: 'Ask',
      inputSchema: z.object({}),
      interruptBehavior: () => 'cancel',
      call: async () => ({ data: 'yes' }),
    });
    expectTypeOf(Ask.interruptBehavior).not.toBeNullable();
    expectTypeOf(Ask).not.toHaveProperty('notAMember');
    expect([Wait.interruptBehavior?.(), Ask.interruptBehavior()]).toEqual(['cancel', 'cancel']);
  });

  it('has the members that its definition leaves out', () => {
    expectTypeOf(Add.userFacingName()).toEqualTypeOf<string>();
    expectTypeOf(Add.maxResultSizeChars).toEqualTypeOf<number>();
    expectTypeOf(Add.isEnabled).returns.toEqualTypeOf<boolean>();
    expect([
      Add.userFacingName(),
      Add.maxResultSizeChars,
      Add.isEnabled({ env: {}, cwd: '/w' }),
    ]).toEqual(['Add', 30_000, true]);
  });

  it('is one of the tools of an agent', () => {
    const tools: readonly Pick<Tool, 'name'>[] = [Add];
    expect(tools).toHaveLength(1);
  });

  it('takes an input of its schema only', () => {
    // @ts-expect-error: b is missing
    const wrong = () => Add.isReadOnly({ a: 1 });
    expect(wrong).toBeTypeOf('function');
    const without = () =>
      // @ts-expect-error: call is missing
      buildTool({ name: 'None', inputSchema: z.object({}) });
    expect(without).toThrow('None: call must be a function');
    const call = async () => ({ data: 1 });
    const painted = () =>
      // @ts-expect-error: no tool has a color
      buildTool({ name: 'Red', inputSchema: z.object({}), call, color: 'red' });
    expect(painted).toThrow('buildTool: Red: there is no member "color"');
    // @ts-expect-error: the data of a call is a number
    const other: Promise<ToolResult<string>> = Promise.resolve({ data: 1 });
    expect(other).toBeInstanceOf(Promise);
  });
});
