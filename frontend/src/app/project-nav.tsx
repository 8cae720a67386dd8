/** The ways through a project: its places in the header, below it the pages of one and the parts of a page. */
import { Link, useLocation } from "@tanstack/react-router";
import { useId, useRef, useState } from "react";
import type { RoleEnum } from "../api/schema";
import { Button } from "../components/button";
import { t } from "../lib/i18n/t";
import styles from "./project-nav.module.css";
import { findCurrent, opens, partsOf, type Place, placesOf, type ProjectPage } from "./project-places";

interface ProjectNavProps {
  readonly slug: string;
  readonly role: RoleEnum;
}

function useWhere({ slug, role }: ProjectNavProps) {
  const { pathname } = useLocation();
  const address = pathname.slice(slug.length + 2);
  const places = placesOf(role);
  const page = findCurrent(
    places.flatMap(({ pages }) => pages),
    address,
  );
  const place = places.length === 1 ? places[0] : places.find(({ name }) => name === page?.place);
  const parts = partsOf(page, role);
  return { places, place, page, parts, part: findCurrent(parts, address) };
}

/** The places beside each other, where a role has several and the window is wide enough. */
export function PlacesNav(props: ProjectNavProps) {
  const { places, place } = useWhere(props);
  if (places.length < 2) return null;
  return (
    <nav className={styles["places"]} aria-label={t("Project")}>
      {places.map(({ name, pages }) => (
        <NavLink
          key={name}
          slug={props.slug}
          path={opens(pages[0])}
          name={t(name)}
          isCurrent={name === place?.name}
        />
      ))}
    </nav>
  );
}

/** The pages of the place in sight, at the same height whichever it is; all of them in a menu where few fit. */
export function PagesNav(props: ProjectNavProps) {
  const { places, place, page } = useWhere(props);
  const pages = place?.pages ?? [];
  return (
    <>
      {places.length > 1 && <Menu {...props} places={places} current={page} />}
      {place && pages.length > 1 && (
        <nav
          className={styles["pages"]}
          data-always={places.length === 1 || undefined}
          aria-label={t(place.name)}
        >
          {pages.map((each) => (
            <NavLink
              key={each.path}
              slug={props.slug}
              path={opens(each)}
              name={t(each.name)}
              isCurrent={each.path === page?.path}
            />
          ))}
        </nav>
      )}
    </>
  );
}

/** The parts of the page in sight, where it has several. */
export function PartsNav(props: ProjectNavProps) {
  const { page, parts, part } = useWhere(props);
  if (!page || parts.length === 0) return null;
  return (
    <nav className={styles["parts"]} aria-label={t(page.name)}>
      {parts.map(({ path, name }) => (
        <NavLink key={path} slug={props.slug} path={path} name={t(name)} isCurrent={path === part?.path} />
      ))}
    </nav>
  );
}

interface NavLinkProps {
  readonly slug: string;
  readonly path: string;
  readonly name: string;
  readonly isCurrent: boolean;
  readonly onClick?: () => void;
}

function NavLink({ slug, path, name, isCurrent, onClick }: NavLinkProps) {
  return (
    <Link
      to={`/${slug}/${path}` as "/"}
      className={styles["link"]}
      data-active={isCurrent || undefined}
      aria-current={isCurrent ? "page" : undefined}
      // Of pages one within the address of the other only one is current.
      activeOptions={{ includeSearch: false, exact: true }}
      {...(onClick && { onClick })}
    >
      {name}
    </Link>
  );
}

interface MenuProps extends ProjectNavProps {
  readonly places: readonly Place[];
  readonly current: ProjectPage | undefined;
}

/** All pages, where they do not fit beside each other: in a menu under the name of the one in sight. */
function Menu({ slug, places, current }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <nav className={styles["menu"]} aria-label={t("Pages")}>
      <Button variant="quiet" popoverTarget={id}>
        <span>
          <span className="visually-hidden">{t("Project pages")}: </span>
          {current ? t(current.name) : t("Pages")}
        </span>
        <span aria-hidden="true">▾</span>
      </Button>
      <div
        ref={list}
        id={id}
        popover="auto"
        className={styles["sheet"]}
        onBeforeToggle={({ newState }) => setOpen(newState === "open")}
      >
        {isOpen &&
          places.map(({ name, pages }) => (
            <div key={name} className={styles["group"]}>
              {pages.length > 1 && <p className="soft">{t(name)}</p>}
              {pages.map((page) => (
                <NavLink
                  key={page.path}
                  slug={slug}
                  path={opens(page)}
                  name={t(page.name)}
                  isCurrent={page.path === current?.path}
                  onClick={() => list.current?.hidePopover()}
                />
              ))}
            </div>
          ))}
      </div>
    </nav>
  );
}
