/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game that loads 40 levels of 50 images each, 2,000 in all.  A map keeps each
 * image for when it is wanted again, and nothing is ever taken out of it.
 * memmon(7) finds that: the map retains 2000 images of 2048 bytes.
 */
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Image {
	std::string path;
	std::vector<char> pixels;
};

static std::map<std::string, std::shared_ptr<Image>> loaded;

static std::shared_ptr<Image> load(const std::string &path)
{
	auto &image = loaded[path];

	if (!image) {
		image = std::make_shared<Image>();
		image->path = path;
		image->pixels.resize(2048);
	}
	return image;
}

static void play(int level)
{
	std::vector<std::shared_ptr<Image>> shown;

	for (int i = 0; i < 50; i++)
		shown.push_back(load("levels/" + std::to_string(level) +
				     "/background/" + std::to_string(i)));
}

int main()
{
	for (int level = 0; level < 40; level++)
		play(level);
	return 0;
}
