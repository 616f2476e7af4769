import { type Tool, TOOLS } from './tools.ts';

const keyOf = (projectId: number): string => `assay.tool.${projectId}`;

export const rememberedTool = (projectId: number): Tool | null => {
  try {
    const stored = localStorage.getItem(keyOf(projectId));
    return TOOLS.find((tool) => tool === stored) ?? null;
  } catch {
    return null;
  }
};

export const rememberTool = (projectId: number, tool: Tool): void => {
  try {
    localStorage.setItem(keyOf(projectId), tool);
  } catch {
    // A browser that keeps nothing asks again.
  }
};
