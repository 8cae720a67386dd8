/** The pages of a project that a role has, in the order of the work. */
import { Link, useLocation } from "@tanstack/react-router";
import { useId, useRef } from "react";
import type { RoleEnum } from "../api/schema";
import { Button } from "../components/button";
import { t } from "../lib/i18n/t";
import styles from "./layouts.module.css";

interface NavItem {
  readonly path: string;
  readonly name: string;
  readonly roles: readonly RoleEnum[];
}

const LEAD: readonly RoleEnum[] = ["lead"];
const LEADS: readonly RoleEnum[] = ["lead", "adjudicator"];

const PROJECT_PAGES = [
  { path: "overview", name: "Overview", roles: LEAD },
  { path: "import", name: "Import", roles: LEAD },
  { path: "protocol", name: "Protocol", roles: LEAD },
  { path: "people", name: "People", roles: LEAD },
  { path: "work", name: "Work", roles: LEAD },
  { path: "judge", name: "Judge", roles: ["annotator"] },
  { path: "judged", name: "Your judgments", roles: ["annotator"] },
  { path: "queue", name: "Adjudicate", roles: LEADS },
  { path: "agreement", name: "Agreement", roles: LEADS },
  { path: "runs", name: "Judges", roles: LEAD },
  { path: "leaderboard", name: "Leaderboard", roles: LEADS },
  { path: "failures", name: "Failures", roles: LEADS },
  { path: "answers", name: "Answers", roles: LEADS },
  { path: "gold", name: "Gold", roles: LEADS },
  { path: "export", name: "Export", roles: LEAD },
  { path: "settings", name: "Settings", roles: LEAD },
] as const satisfies readonly NavItem[];

function pagesOf(role: RoleEnum) {
  return PROJECT_PAGES.filter(({ roles }: NavItem) => roles.includes(role));
}

/** Where a role lands when it opens a project. */
export function firstPage(role: RoleEnum): string {
  return pagesOf(role)[0]?.path ?? "judge";
}

/** Where the pages do not fit beside each other, they stand in a menu under the name of the one in sight. */
export function ProjectNav({ slug, role }: { readonly slug: string; readonly role: RoleEnum }) {
  const pages = pagesOf(role);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  const current = pages.find(({ path }) => pathname.split("/")[2] === path);
  if (pages.length < 2) return null;
  return (
    <nav className={styles["nav"]} data-pages={sizeOf(pages.length)} aria-label={t("Project")}>
      <Button variant="quiet" className={styles["menu"] ?? ""} popoverTarget={id}>
        <span>
          <span className="visually-hidden">{t("Pages of the project")}: </span>
          {current ? t(current.name) : t("Pages")}
        </span>
        <span aria-hidden="true">▾</span>
      </Button>
      <div ref={list} id={id} popover="auto" className={styles["pages"]}>
        {pages.map((page) => (
          <Link
            key={page.path}
            to={`/${slug}/${page.path}` as "/"}
            className={styles["link"]}
            activeProps={{ "data-active": true }}
            activeOptions={{ includeSearch: false, exact: false }}
            onClick={() => list.current?.hidePopover()}
          >
            {t(page.name)}
          </Link>
        ))}
      </div>
    </nav>
  );
}

function sizeOf(pages: number): "few" | "some" | "many" {
  if (pages < 4) return "few";
  return pages < 8 ? "some" : "many";
}
