/** Links to a page of the project one is in. */
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMayOpen } from "../api/project";
import { ButtonLink } from "./button";

interface ProjectLinkProps {
  /** The address below the project: "answers", "answers/7hx2". */
  readonly page: string;
  readonly search?: Readonly<Record<string, string | number>>;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function useProjectSlug(): string {
  return useParams({ strict: false }).slug ?? "";
}

function targetOf(slug: string, { page, search }: Pick<ProjectLinkProps, "page" | "search">) {
  return { to: `/${slug}/${page}` as "/", search: (search ?? {}) as never };
}

/** Where the reader may not open the page, its words alone. */
export function ProjectLink({ page, search, className, children }: ProjectLinkProps) {
  const slug = useProjectSlug();
  if (!useMayOpen()(page)) return <span className={className}>{children}</span>;
  return (
    <Link {...targetOf(slug, { page, ...(search && { search }) })} className={className ?? ""}>
      {children}
    </Link>
  );
}

interface ProjectButtonLinkProps extends ProjectLinkProps {
  readonly variant?: "primary" | "secondary" | "quiet";
  readonly size?: "small" | "medium" | "large";
}

/** Where the reader may not open the page, nothing. */
export function ProjectButtonLink({ page, search, children, ...look }: ProjectButtonLinkProps) {
  const slug = useProjectSlug();
  if (!useMayOpen()(page)) return null;
  return (
    <ButtonLink {...targetOf(slug, { page, ...(search && { search }) })} {...look}>
      {children}
    </ButtonLink>
  );
}
