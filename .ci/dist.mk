# SPDX-License-Identifier: GPL-3.0-or-later
#
# A release: the source in one file, which is the same, byte for byte, whenever it
# is made from a commit; and Debian's packages of it.

DIST	:= memmon-$(VERSION)

.PHONY: dist deb
## dist		the source of the last commit in a file, which needs no git
dist: $(O)/$(DIST).tar.gz
$(O)/$(DIST).tar.gz: FORCE | $(O)
	@git -C '$(CURDIR)' archive --format=tar --prefix=$(DIST)/ HEAD | \
		gzip -9n >$@.new && mv $@.new $@
	@echo "$@"

## deb		packages for Debian, of the last commit, in $(O)/deb
deb: $(O)/$(DIST).tar.gz
	@.ci/deps deb
	@rm -rf $(O)/deb && mkdir -p $(O)/deb
	@cp $< $(O)/deb/memmon_$(VERSION).orig.tar.gz
	@tar -C $(O)/deb -xzf $<
	@cp -r $(O)/deb/$(DIST)/.ci/debian $(O)/deb/$(DIST)/debian
	cd $(O)/deb/$(DIST) && env -u MAKEFLAGS -u MFLAGS \
		SOURCE_DATE_EPOCH=$$(git -C '$(CURDIR)' log -1 --format=%ct) \
		dpkg-buildpackage -us -uc -j$(JOBS)
	@ls $(O)/deb/*.deb
