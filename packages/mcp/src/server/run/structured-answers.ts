import type { RegisteredTool } from '../api/tool.ts';
import type { Answers } from './answers.ts';
import type { Call } from './call.ts';
import { NotAToolResult } from './not-a-tool-result.ts';
import type { ToolAnswers } from './tool-answers.ts';

/** Answers of a tool with an `outputSchema`: what it returns is checked before it goes out. */
export class StructuredAnswers implements Answers {
  readonly subject = 'Tool';
  private readonly tools: ToolAnswers;
  private readonly check: NonNullable<RegisteredTool['outputCheck']>;

  constructor(tools: ToolAnswers, check: NonNullable<RegisteredTool['outputCheck']>) {
    this.tools = tools;
    this.check = check;
  }

  failed(call: Call, error: unknown): void {
    this.tools.failed(call, error);
  }

  returned(call: Call, value: unknown): void {
    if (!isFailure(value))
      this.judge((value as { structuredContent?: unknown } | null | undefined)?.structuredContent);
    this.tools.returned(call, value);
  }

  private judge(structured: unknown): void {
    if (structured === undefined)
      throw new NotAToolResult('structuredContent is missing, which its outputSchema describes');
    const violation = this.check.check(structured);
    if (violation === undefined) return;
    const { path, text } = violation;
    const joint = path === '' || path.startsWith('[') ? '' : '.';
    throw new NotAToolResult(`structuredContent${joint}${path} ${text}`);
  }
}

function isFailure(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { isError?: unknown }).isError === true;
}
