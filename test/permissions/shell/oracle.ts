import mvdan from 'mvdan-sh';

/**
 * The findings of another parser of shells in a command line. The types of mvdan-sh are not published; this type has
 * the parts that the test reads.
 */
type OracleNode = {
  readonly Args?: readonly OracleNode[];
  readonly Assigns?: readonly (OracleNode & { readonly Name?: { readonly Value: string } })[];
  readonly Parts?: readonly OracleNode[];
  readonly Value?: string;
  readonly Dollar?: boolean;
  readonly Word?: OracleNode;
  readonly Hdoc?: OracleNode | null;
  readonly Param?: { readonly Value: string };
  /** Set for a parameter with nothing but its name. */
  readonly Short?: boolean;
  readonly Excl?: boolean;
  readonly Length?: boolean;
  readonly Width?: boolean;
  readonly Index?: unknown;
  readonly Slice?: unknown;
  readonly Repl?: unknown;
  readonly Names?: unknown;
  readonly Exp?: unknown;
};

type Syntax = {
  NewParser(): { Parse(source: string, name: string): unknown };
  Walk(node: unknown, visit: (node: OracleNode | null) => boolean): void;
  NodeType(node: unknown): string;
};

export type OracleCommand = {
  readonly assigned: readonly string[];
  /** The command alone, with every word quoted that needs it. */
  readonly line: string;
  /** Some of its arguments hold parameters, which `line` says as they are written. */
  readonly hasParameters: boolean;
};

export type OracleReading = {
  readonly commands: readonly OracleCommand[];
  /** Parts that nobody approves: functions, tests, expansions but plain parameters among the arguments of a command. */
  readonly others: readonly string[];
};

const { syntax } = mvdan as { readonly syntax: Syntax };
const parser = syntax.NewParser();

/** Types of parts that do no harm by themselves; `Word` and below are read with the part that has them. */
const PLAIN: ReadonlySet<string> = new Set(
  'File Stmt BinaryCmd CallExpr Word Lit SglQuoted DblQuoted Redirect Subshell Block IfClause WhileClause ForClause WordIter CaseClause CaseItem TimeClause Comment Assign'.split(
    ' ',
  ),
);

/** Undefined if the oracle finds an error of syntax. */
export function askOracle(source: string): OracleReading | undefined {
  let file: unknown;
  try {
    file = parser.Parse(source, '');
  } catch {
    return undefined;
  }
  const commands: OracleCommand[] = [];
  const others: string[] = [];
  /** Plain parameters: in words behind the first of a command, and anywhere. */
  let inArguments = 0;
  let inAll = 0;
  syntax.Walk(file, (node) => {
    if (node === null) return true;
    const type = syntax.NodeType(node);
    if (isPlainParameter(node)) inAll++;
    else if (!PLAIN.has(type)) others.push(type);
    if (type === 'CallExpr') {
      const count = (node.Args ?? [])
        .slice(1)
        .reduce((sum, word) => sum + countParameters(word), 0);
      commands.push({
        assigned: (node.Assigns ?? []).map(({ Name }) => Name?.Value ?? ''),
        line: (node.Args ?? []).map(toWord).join(' '),
        hasParameters: count > 0,
      });
      inArguments += count;
    }
    return true;
  });
  if (inAll > inArguments) others.push('ParamExp');
  return { commands, others };
}

/** `$x` or `${x}`: the value as it is. */
function isPlainParameter(node: OracleNode): boolean {
  if (syntax.NodeType(node) !== 'ParamExp') return false;
  const { Excl, Length, Width, Index, Slice, Repl, Names, Exp } = node;
  if (Excl === true || Length === true || Width === true) return false;
  return [Index, Slice, Repl, Exp].every((part) => part === null || part === undefined) && !Names;
}

function countParameters({ Parts = [] }: OracleNode): number {
  return Parts.reduce(
    (sum, part) =>
      sum +
      (isPlainParameter(part) ? 1 : 0) +
      (syntax.NodeType(part) === 'DblQuoted' ? countParameters(part) : 0),
    0,
  );
}

/** As it is written, since rules are matched against that. */
function toParameter({ Short, Param }: OracleNode): string {
  const name = Param?.Value ?? '';
  return Short === true ? `$${name}` : `\${${name}}`;
}

function toWord({ Parts = [] }: OracleNode): string {
  const word = Parts.map((part) => {
    const type = syntax.NodeType(part);
    const value = part.Value ?? '';
    if (type === 'Lit') return toLiteral(value.replace(/\\\n/g, '').replace(/\\(.)/gs, '\0$1'));
    if (type === 'SglQuoted') return part.Dollar === true ? `$'${value}'` : quote(value);
    if (isPlainParameter(part)) return toParameter(part);
    if (type !== 'DblQuoted') return `\${${type}}`;
    // what is expanded has to stay in double quotes
    if (countParameters(part) > 0) {
      const parts = (part.Parts ?? []).map((one) =>
        isPlainParameter(one) ? toParameter(one) : (one.Value ?? ''),
      );
      return `"${parts.join('').replace(/\\\n/g, '')}"`;
    }
    const inner = (part.Parts ?? []).map((one) => one.Value ?? '').join('');
    return quote(inner.replace(/\\\n/g, '').replace(/\\([$`"\\])/g, '$1'));
  }).join('');
  return /^[{}!]$/.test(word) ? quoteAlways(word) : word; // braces, which readers of shells may stumble over
}

/** Restores escapes, which are behind a NUL; the rest stays as it was, wildcards included. */
function toLiteral(text: string): string {
  return text.replaceAll('\0', '\\');
}

function quote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : quoteAlways(text);
}

function quoteAlways(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
