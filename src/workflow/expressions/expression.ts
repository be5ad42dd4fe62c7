/** A condition or a `${{ … }}` as data. Positions count characters in the parsed text. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | {
      readonly kind: 'path';
      /** `inputs`, `tasks`, `item` or `index`. */
      readonly root: string;
      readonly parts: readonly (string | number)[];
      readonly at: number;
    }
  | { readonly kind: 'not'; readonly operand: Expression }
  | {
      readonly kind: 'and' | 'or';
      /** Two or more. */
      readonly operands: readonly Expression[];
    }
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    };

export const COMPARISONS = ['==', '!=', '<=', '>=', '<', '>', 'contains'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Path = Extract<Expression, { kind: 'path' }>;

/** All paths of an expression, in their order. */
export function pathsIn(expression: Expression): readonly Path[] {
  switch (expression.kind) {
    case 'literal':
      return [];
    case 'path':
      return [expression];
    case 'not':
      return pathsIn(expression.operand);
    case 'and':
    case 'or':
      return expression.operands.flatMap(pathsIn);
    case 'compare':
      return [...pathsIn(expression.left), ...pathsIn(expression.right)];
    default:
      return expression satisfies never;
  }
}

/** The path as it is written. */
export function formatPath({ root, parts }: Path): string {
  return parts.reduce<string>(
    (text, part) => text + (typeof part === 'number' ? `[${part}]` : `.${part}`),
    root,
  );
}
